#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/label_selection.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/forest/forest.hpp"

namespace espalier {

/// Numbers the branches of a forest. A *branch* is a production, the position of a child in it, and
/// the production of the inner child there, whose label is selected: what two nodes must have in
/// common for their children at that position to match in the subset tree kernel.
class Branches {
 public:
  explicit Branches(const Forest& forest, LabelSelection selection = {});

  const LabelSelection& selection() const { return selection_; }
  std::size_t count() const { return branches_.size(); }
  /// The branch of child `place`; none for a leaf or a label that is not selected, and for a branch
  /// that the forest did not have when this was constructed. The forest may have grown since.
  std::uint32_t of(const Forest& forest, VertexId v, std::uint32_t place) const {
    const std::uint32_t edge = forest.first_edge(v) + place;
    return edge < of_edge_.size() ? of_edge_[edge] : find(branch(forest, v, place));
  }

 private:
  /// The production, the place, and the production of the child; none for that if it does not
  /// match.
  using Branch = std::tuple<ProductionId, std::uint32_t, ProductionId>;

  Branch branch(const Forest& forest, VertexId v, std::uint32_t place) const {
    const VertexId child = forest.children(v)[place];
    const bool matches = !forest.is_leaf(child) && selection_.has(forest.label(child));
    return {forest.production(v), place, matches ? forest.production(child) : none};
  }
  static std::uint64_t hash_of(const Branch& branch);
  std::uint32_t find(const Branch& branch) const;

  LabelSelection selection_;
  std::vector<std::uint32_t> of_edge_;
  std::vector<Branch> branches_;  ///< per number
  IdIndex index_;                 ///< into branches_
};

}  // namespace espalier
