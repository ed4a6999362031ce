#pragma once

#include <vector>

#include "engine/label_selection.hpp"
#include "espalier/forest/forest.hpp"
#include "espalier/kernel/options.hpp"

namespace espalier {

/// What the children of one vertex with one label add up to.
struct LabelSum {
  VertexId parent = none;
  double next = 0;        ///< relative to a node directly before the first of them
  double first = 0;       ///< without gaps
  std::size_t place = 0;  ///< of the first of them
};

/// One for each label, reused from vertex to vertex.
class LabelSums {
 public:
  explicit LabelSums(std::size_t labels) : sums_(labels) {}

  /// Starts anew for each parent.
  LabelSum& of(LabelId label, VertexId parent) {
    LabelSum& sum = sums_[label];
    if (sum.parent != parent) sum = {parent};
    return sum;
  }

 private:
  std::vector<LabelSum> sums_;
};

/// Upper bounds of the factor by which the value of a fragment of PT in one occurrence can change
/// when it grows, level by level. A node of the fragment weighs sqrt(mu), a leaf of it lambda in
/// addition, a skipped child lambda. The children that are added have one sequence of labels; the
/// bound adds up, label by label, all children that could be the next one. Exact where the children
/// of a vertex have different labels.
class PartialTreeGrowth {
 public:
  PartialTreeGrowth(const Forest& forest, const PartialTreeOptions& options,
                    const LabelSelection& selection);

  double node() const { return node_; }
  double leaf() const { return leaf_; }
  /// The factor of the gap between two children; 1 if they are adjacent (gap=skips).
  double gap(std::size_t from, std::size_t to) const;

  /// For a leaf of the fragment at this vertex: by the best fragment below it; 0 if there is none.
  double below(VertexId v) const { return below_[v]; }
  /// For a node of the fragment whose last child so far is at this edge: by further children.
  double after(std::uint32_t edge) const { return after_[edge]; }

 private:
  void add(const Forest& forest, const LabelSelection& selection, VertexId v, LabelSums& sums);

  double node_, leaf_, decay_;
  bool span_;
  std::vector<double> below_;  ///< per vertex
  std::vector<double> after_;  ///< per edge
};

}  // namespace espalier
