#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/branches.hpp"
#include "kernel/row_index.hpp"

namespace espalier {

/// The branches of the vertices of rows, as far as columns have them.
///
/// Many vertices of a production have some children in common, and others that only they have:
/// questions begin alike and each ends in its own way. What the common children make of D is found
/// out once, for the *skeleton* of these vertices, which is treated as a vertex that has these
/// children only. What is left for a vertex is what its other children add to its skeleton.
class RowBranches {
 public:
  struct Entry {
    std::uint32_t branch;
    VertexId child;
    bool plain;  ///< nothing below the child but leaves
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Adds the skeletons to the rows, if they are wanted.
  RowBranches(RowIndex& rows, const Branches& branches, bool with_skeletons);

  /// Those to compare a vertex by, as numbered in the rows, in the order of its children; without
  /// those of its skeleton.
  std::span<const Entry> of(std::uint32_t number) const {
    return {entries_.data() + begin_[number], entries_.data() + begin_[number + 1]};
  }
  /// The branch of the stem above a vertex, or none.
  std::uint32_t stem_above(std::uint32_t number) const { return stems_[number]; }

 private:
  /// What vertices have in common, beside the stem above them.
  struct Skeleton {
    std::uint32_t stem;
    std::vector<Entry> entries;
    std::uint32_t users = 0;
  };
  class Skeletons;

  void list_all(const RowIndex& rows, const Branches& branches);
  std::vector<std::uint8_t> find_common(const RowIndex& rows, const Branches& branches) const;
  Skeletons find_skeletons(const std::vector<std::uint8_t>& common) const;
  void move_to_skeletons(const Skeletons& skeletons, const std::vector<std::uint8_t>& common);

  std::vector<std::uint32_t> begin_ = {0};  ///< per number, and one more
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> stems_;  ///< per number
};

}  // namespace espalier
