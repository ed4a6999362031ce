#pragma once

#include <span>
#include <unordered_map>

#include "fragments/fragment_hashes.hpp"

namespace espalier {

/// Which fragments of a tree kernel have a column: chosen ones, in a trie whose edges are steps, or
/// all up to a size, hashed.
class FragmentSet {
 public:
  struct Entry {
    std::uint32_t column = none;
    bool negative = false;  ///< hashed: whether the column has the opposite sign
    std::uint64_t grows =
        0;  ///< bit n % 64 for each node n at which a fragment with a column grows
  };

  FragmentSet() = default;
  /// All fragments. `term` distinguishes the tree kernels of a sum. Requires a power of two.
  FragmentSet(std::size_t max_size, std::size_t columns, std::uint32_t term)
      : max_size_(max_size), columns_(columns), start_(term) {}

  /// The hash of no fragment.
  std::uint64_t start() const { return start_; }
  Entry find(std::uint64_t hash, std::uint32_t size) const;
  /// Assigns a column to the last of the prefixes.
  void add(std::span<const FragmentPrefix> prefixes, std::uint32_t column);

 private:
  std::size_t max_size_ = 0;
  std::size_t columns_ = 0;  ///< of hashed fragments
  std::uint64_t start_ = 0;
  std::unordered_map<std::uint64_t, Entry> entries_;  ///< by hash
};

}  // namespace espalier
