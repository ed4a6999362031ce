#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/column_groups.hpp"
#include "engine/subset_tree/branches.hpp"

namespace espalier {

/// Columns grouped by production, with an inverted index of their branches.
class ProductionIndex : public ColumnGroups {
 public:
  /// A vertex of a group, and one of its children.
  struct Place {
    std::uint32_t at;    ///< in the group, starting at 0
    std::uint32_t rank;  ///< of the child; 0 if it has none
  };

  /// The rule must have branches() of the forest.
  template <class Rule>
  void build(const Bags& bags, Slice columns, const Rule& rule, const ContentHashes& hashes,
             const std::vector<std::uint8_t>& wanted) {
    const Forest& forest = bags.forest();
    group(bags, columns, rule, hashes, wanted);
    branches_.start(rule.branches().count());
    numbers_.clear();
    unsorted_.clear();
    for (std::uint32_t g = 0; g < group_count(); ++g) {
      for (std::uint32_t p = group(g).begin; p < group(g).end; ++p) {
        const VertexId v = vertices()[p];
        const auto children = forest.children(v);
        for (std::uint32_t a = 0; a < children.size(); ++a) {
          const std::uint32_t branch = rule.branches().of(forest, v, a);
          if (branch == none) continue;
          numbers_.push_back(branches_.add(branch));
          unsorted_.push_back({p - group(g).begin, rank(forest, rule, children[a])});
        }
      }
    }
    places_.build(branches_.size(), [&](auto&& visit) {
      for (std::size_t k = 0; k < unsorted_.size(); ++k) visit(numbers_[k], unsorted_[k]);
    });
    forget_positions();
  }

  /// Frees the scratch of building.
  void keep() {
    ColumnGroups::keep();
    unsorted_ = {};
    numbers_ = {};
  }

  /// The vertices with a branch, in ascending order. They belong to one group.
  std::span<const Place> places(std::uint32_t branch) const {
    const std::uint32_t number = branches_.of(branch);
    return number == none ? std::span<const Place>() : places_.of(number);
  }
  std::size_t bytes() const {
    return ColumnGroups::bytes() + branches_.bytes() + places_.bytes() +
           (sizeof(Place) + sizeof(std::uint32_t)) * unsorted_.size();
  }

 private:
  Numbering branches_;   ///< those of the columns
  Lists<Place> places_;  ///< per branch number

  // Scratch for building: all places, and the numbers of their branches.
  std::vector<Place> unsorted_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace espalier
