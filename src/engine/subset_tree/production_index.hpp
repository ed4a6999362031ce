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
    lists_.resize(rule.branches().count());
    for (const std::uint32_t branch : listed_) lists_[branch] = {};
    listed_.clear();
    list_places(forest, rule);
    for (const Unsorted& place : unsorted_) {
      if (lists_[place.branch].end++ == 0) listed_.push_back(place.branch);
    }
    std::uint32_t total = 0;
    for (const std::uint32_t branch : listed_) {
      const std::uint32_t size = lists_[branch].end;
      lists_[branch] = {total, total};
      total += size;
    }
    places_.resize(total);
    for (const Unsorted& place : unsorted_) places_[lists_[place.branch].end++] = place.place;
    forget_positions();
  }

  void keep() {
    ColumnGroups::keep();
    unsorted_ = {};
  }

  /// The vertices with a branch, in ascending order. They belong to one group.
  std::span<const Place> places(std::uint32_t branch) const {
    return {places_.data() + lists_[branch].begin, lists_[branch].size()};
  }
  std::size_t bytes() const {
    return ColumnGroups::bytes() + (sizeof(Place) + sizeof(Unsorted)) * places_.size() +
           sizeof(Positions) * lists_.size();
  }

 private:
  template <class Rule>
  void list_places(const Forest& forest, const Rule& rule) {
    unsorted_.clear();
    for (std::uint32_t g = 0; g < group_count(); ++g) {
      for (std::uint32_t p = group(g).begin; p < group(g).end; ++p) {
        const VertexId v = vertices()[p];
        const auto children = forest.children(v);
        for (std::uint32_t a = 0; a < children.size(); ++a) {
          const std::uint32_t branch = rule.branches().of(forest, v, a);
          if (branch == none) continue;
          unsorted_.push_back({branch, {p - group(g).begin, rank(forest, rule, children[a])}});
        }
      }
    }
  }

  std::vector<Positions> lists_;       ///< per branch: range in places_
  std::vector<std::uint32_t> listed_;  ///< branches with places
  std::vector<Place> places_;
  struct Unsorted {
    std::uint32_t branch;
    Place place;
  };
  std::vector<Unsorted> unsorted_;  ///< scratch for building
};

}  // namespace espalier
