// In which examples the fragments of features occur.

#include <algorithm>
#include <utility>

#include "fragments/feature_state.hpp"

namespace espalier {

namespace {

/// The first node of a tree, in preorder, whose vertex is wanted.
template <class Wanted>
std::uint32_t first_node(const Forest& forest, TreeId tree, Wanted&& wanted) {
  std::vector<VertexId> open = {forest.root(tree)};
  for (std::uint32_t node = 0; !open.empty(); ++node) {
    const VertexId v = open.back();
    open.pop_back();
    if (wanted(v)) return node;
    const auto children = forest.children(v);
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  return none;
}

}  // namespace

std::vector<FragmentFeatures::Support> FragmentFeatures::support(const Dataset& data,
                                                                 const Context& context) const {
  constexpr std::size_t places = 2;
  std::vector<Support> out(columns());
  FeatureRun run = state_->run(data, context);
  std::vector<std::vector<TermColumn>> columns;
  for (std::size_t t = 0; t < run.terms().size(); ++t) {
    columns.push_back(columns_of(state_->terms.terms[t], run.terms()[t], data));
  }
  std::vector<std::uint64_t> seen(out.size(), 0);  // per fragment: the last example, from 1
  const auto has = [&](std::size_t t, VertexId v, std::uint32_t column) {
    return std::ranges::any_of(run.terms()[t].at(v),
                               [&](const RootedFragment& at) { return at.column == column; });
  };
  const auto count = [&](std::uint32_t i, std::size_t t, const TermColumn& from) {
    const TreeId tree = from.column.trees[i];
    if (tree == none) return;
    for (const Occurrence& o : from.forest.occurrences(tree)) {
      std::uint32_t last = none;  // several embeddings are one after the other
      for (const RootedFragment& each : run.terms()[t].at(from.vertices[o.vertex])) {
        if (std::exchange(last, each.column) == each.column) continue;
        Support& support = out[each.column];
        support.occurrences += o.count;
        if (std::exchange(seen[each.column], i + 1) == i + 1) continue;
        if (support.examples++ >= places) continue;
        const std::uint32_t node = first_node(
            from.forest, tree, [&](VertexId v) { return has(t, from.vertices[v], each.column); });
        support.places.push_back({i, node, from.column.slot});
      }
    }
  };
  run.for_each_block(context, [&](Slice block) {
    for (std::size_t i = block.begin; i < block.end; ++i) {
      for (std::size_t t = 0; t < columns.size(); ++t) {
        for (const TermColumn& from : columns[t]) count(static_cast<std::uint32_t>(i), t, from);
      }
    }
  });
  return out;
}

}  // namespace espalier
