#include "engine/subset_tree/branches.hpp"

#include "base/hash.hpp"

namespace espalier {

Branches::Branches(const Forest& forest, LabelSelection selection)
    : selection_(std::move(selection)), of_edge_(forest.edge_count(), none) {
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    if (forest.height(v) < 2) continue;
    const auto width = static_cast<std::uint32_t>(forest.children(v).size());
    for (std::uint32_t place = 0; place < width; ++place) {
      const Branch wanted = branch(forest, v, place);
      if (std::get<2>(wanted) == none) continue;
      of_edge_[forest.first_edge(v) + place] = index_.find_or_add(
          hash_of(wanted), [&](std::uint32_t id) { return branches_[id] == wanted; },
          [&] {
            branches_.push_back(wanted);
            return static_cast<std::uint32_t>(branches_.size() - 1);
          });
    }
  }
}

std::uint64_t Branches::hash_of(const Branch& branch) {
  const auto& [production, place, below] = branch;
  const std::uint64_t both = std::uint64_t{production} << 32 | below;
  return hash::mix(both ^ hash::key1, place ^ hash::key2);
}

std::uint32_t Branches::find(const Branch& branch) const {
  return index_.find(hash_of(branch), [&](std::uint32_t id) { return branches_[id] == branch; });
}

}  // namespace espalier
