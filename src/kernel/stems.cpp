#include "kernel/stems.hpp"

#include <algorithm>

namespace espalier {

namespace {

/// Whether a tree has a root with nothing but one child, which is inner.
bool has_candidates(const Forest& forest) {
  for (TreeId tree = 0; tree < forest.tree_count(); ++tree) {
    const VertexId root = forest.root(tree);
    if (root == none || forest.children(root).size() != 1) continue;
    if (!forest.is_leaf(forest.children(root)[0])) return true;
  }
  return false;
}

/// The root above each inner vertex that is the only child of one, and of nothing else.
std::vector<VertexId> candidates(const Forest& forest) {
  std::vector<std::uint32_t> parents(forest.vertex_count(), 0);
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    for (const VertexId child : forest.children(v)) ++parents[child];
  }
  std::vector<VertexId> above(forest.vertex_count(), none);
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    const auto children = forest.children(v);
    if (parents[v] > 0 || children.size() != 1) continue;
    if (parents[children[0]] == 1 && !forest.is_leaf(children[0])) above[children[0]] = v;
  }
  return above;
}

}  // namespace

Stems::Stems(const Bags& rows, const Bags& columns) {
  if (rows.are_weighted() || columns.are_weighted() || !has_candidates(rows.forest())) return;
  above_ = candidates(rows.forest());
  // No example has less of a child than of its root: so if sums are equal, all counts are.
  std::vector<std::uint64_t> total(above_.size(), 0);
  for (const Bags* bags : {&rows, &columns}) {
    for (std::size_t i = 0; i < bags->size(); ++i) {
      for (const Occurrence& o : (*bags)[i].occurrences) total[o.vertex] += o.count;
    }
  }
  for (VertexId v = 0; v < above_.size(); ++v) {
    if (above_[v] != none && total[v] != total[above_[v]]) above_[v] = none;
  }
  if (std::ranges::all_of(above_, [](VertexId v) { return v == none; })) above_.clear();
}

}  // namespace espalier
