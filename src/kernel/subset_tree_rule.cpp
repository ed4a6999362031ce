#include "kernel/subset_tree_rule.hpp"

#include "base/hash.hpp"
#include "espalier/base/id_index.hpp"

namespace espalier {

std::vector<std::uint32_t> production_pairs(const Forest& forest) {
  std::vector<std::uint32_t> out(forest.vertex_count(), none);
  std::vector<VertexId> first;  // per number: the first vertex that has it
  IdIndex index;
  std::vector<ProductionId> below;
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    if (forest.is_leaf(v)) continue;
    below.clear();
    for (const VertexId child : forest.children(v)) below.push_back(forest.production(child));
    out[v] = index.find_or_add(
        hash::sequence(forest.production(v), below),
        [&](std::uint32_t number) {
          const VertexId other = first[number];
          return forest.production(other) == forest.production(v) &&
                 std::ranges::equal(forest.children(other), below, {},
                                    [&](VertexId child) { return forest.production(child); });
        },
        [&] {
          first.push_back(v);
          return static_cast<std::uint32_t>(first.size() - 1);
        });
  }
  return out;
}

}  // namespace espalier
