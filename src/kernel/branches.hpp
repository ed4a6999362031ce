#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "espalier/base/id_index.hpp"
#include "espalier/forest/forest.hpp"
#include "kernel/row_index.hpp"

namespace espalier {

/// Numbers the branches of a forest. A *branch* is a production, a place in it, and the production
/// of the inner child that stands there: what two nodes must have in common for the children at a
/// place to match in the subset tree kernel.
class Branches {
 public:
  explicit Branches(const Forest& forest);

  std::size_t count() const { return branches_.size(); }
  /// That of child `place`: none for a leaf, and for what the forest did not have when its branches
  /// were numbered. It may have grown since.
  std::uint32_t of(const Forest& forest, VertexId v, std::uint32_t place) const {
    const std::uint32_t edge = forest.first_edge(v) + place;
    return edge < of_edge_.size() ? of_edge_[edge] : find(branch(forest, v, place));
  }

 private:
  struct Branch {
    ProductionId production;
    std::uint32_t place;
    ProductionId below;
    friend bool operator==(const Branch&, const Branch&) = default;
  };

  static Branch branch(const Forest& forest, VertexId v, std::uint32_t place) {
    const VertexId child = forest.children(v)[place];
    return {forest.production(v), place, forest.is_leaf(child) ? none : forest.production(child)};
  }
  static std::uint64_t hash_of(const Branch& branch);
  std::uint32_t find(const Branch& branch) const;

  std::vector<std::uint32_t> of_edge_;
  std::vector<Branch> branches_;  ///< per number
  IdIndex index_;                 ///< of these
};

/// The branches of the vertices of rows, as far as columns have them.
class RowBranches {
 public:
  struct Entry {
    std::uint32_t branch;
    VertexId child;
    bool plain;  ///< nothing below the child but leaves
  };

  RowBranches(const RowIndex& rows, const Branches& branches);

  /// Of a vertex as numbered in the rows, in the order of its children.
  std::span<const Entry> of(std::uint32_t number) const {
    return {entries_.data() + begin_[number], entries_.data() + begin_[number + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};  ///< per number, and one more
  std::vector<Entry> entries_;
};

}  // namespace espalier
