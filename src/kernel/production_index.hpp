#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/column_groups.hpp"

namespace espalier {

/// Columns in groups of one production, which has the same labels below it in all of them.
class ProductionIndex : public ColumnGroups {
 public:
  /// A vertex of a group, and one of its children.
  struct Place {
    std::uint32_t at;    ///< in the group, from 0 on
    std::uint32_t rank;  ///< of the child; 0 if it has none
  };

  template <class Rule>
  void build(const Bags& bags, Slice columns, const Rule& rule,
             const std::vector<std::uint8_t>& wanted) {
    const Forest& forest = bags.forest();
    group(bags, columns, rule, wanted);
    places_.start(forest.production_count());
    first_owner_.clear();
    std::uint32_t owners = 0;
    for (std::uint32_t g = 0; g < group_count(); ++g) {
      const auto members = vertices().subspan(group(g).begin, group(g).size());
      const auto width = static_cast<std::uint32_t>(forest.children(members[0]).size());
      first_owner_.push_back(owners);
      for (std::uint32_t a = 0; a < width; ++a) {
        for (std::uint32_t k = 0; k < members.size(); ++k) {
          const VertexId child = forest.children(members[k])[a];
          if (forest.is_leaf(child)) continue;
          places_.add(forest.production(child), owners + a, {k, rank(forest, rule, child)});
        }
      }
      owners += width;
    }
    places_.finish();
    forget_positions();
  }
  /// Frees what only build() needs.
  void keep() {
    ColumnGroups::keep();
    places_.keep();
  }

  /// The vertices of a group whose child `a` has that production, in rising order.
  std::span<const Place> places(std::uint32_t group, std::uint32_t a,
                                ProductionId production) const {
    return places_.of(first_owner_[group] + a, production);
  }
  std::size_t bytes() const { return ColumnGroups::bytes() + places_.bytes(); }

 private:
  std::vector<std::uint32_t> first_owner_;  ///< per group: the number of its child 0 in places_
  PlaceLists<Place> places_;
};

}  // namespace espalier
