#include "kernel/stems.hpp"

#include <algorithm>

namespace espalier {

namespace {

bool is_weighted(const Bags& bags) {
  for (std::size_t i = 0; i < bags.size(); ++i) {
    if (bags[i].weights != nullptr) return true;
  }
  return false;
}

/// The only vertex above each vertex that is one of two: inner, and an only child below a root.
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
  if (is_weighted(rows) || is_weighted(columns)) return;
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
