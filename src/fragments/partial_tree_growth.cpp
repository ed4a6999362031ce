#include "fragments/partial_tree_growth.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

PartialTreeGrowth::PartialTreeGrowth(const Forest& forest, const PartialTreeOptions& options,
                                     const LabelSelection& selection)
    : node_(std::sqrt(options.depth_decay)),
      leaf_(options.decay),
      decay_(options.decay),
      span_(options.gap == Gap::span),
      below_(forest.vertex_count(), 0),
      after_(forest.edge_count(), 0) {
  LabelSums sums(forest.labels().size());
  for (VertexId v = 0; v < forest.vertex_count(); ++v) add(forest, selection, v, sums);
}

double PartialTreeGrowth::gap(std::size_t from, std::size_t to) const {
  const std::size_t between = to - from;
  return std::pow(decay_, span_ ? between : between - 1);
}

/// Children from the last to the first. All sums shrink by the same factor from child to child, so
/// that the largest one remains the largest until another one grows.
void PartialTreeGrowth::add(const Forest& forest, const LabelSelection& selection, VertexId v,
                            LabelSums& sums) {
  const auto children = forest.children(v);
  double most_next = 0, most_first = 0;
  for (std::size_t place = children.size(); place-- > 0;) {
    const VertexId child = children[place];
    double& after = after_[forest.first_edge(v) + place];
    // Sums are relative to a node directly before their child.
    after = span_ ? decay_ * most_next : most_next;
    if (!selection.has(forest.label(child))) {
      most_next *= decay_;
      continue;
    }
    const double value = node_ * leaf_ * std::max(1.0, below_[child]) * std::max(1.0, after);
    LabelSum& sum = sums.of(forest.label(child), v);
    if (sum.first > 0) sum.next *= std::pow(decay_, sum.place - place);
    sum.next += value;
    sum.first += value;
    sum.place = place;
    most_next = std::max(most_next * decay_, sum.next);
    most_first = std::max(most_first, sum.first);
  }
  // The vertex is no leaf of the fragment any more.
  below_[v] = leaf_ == 0 ? 0 : most_first / leaf_;
}

}  // namespace espalier
