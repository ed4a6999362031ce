#pragma once

#include <compare>
#include <cstdint>
#include <span>

namespace espalier {

/// Which pairs of children with equal keys match.
enum class ChildMatching : std::uint8_t {
  all,
  aligned,  ///< those at the same position
  by_key,   ///< those of the row's first child with each key, which stands for all with that key
};

/// Child a of a row's vertex and child b of a run's vertices have the same key.
struct ChildMatch {
  std::uint32_t a;
  std::uint32_t b;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads defaulted comparisons
  friend auto operator<=>(const ChildMatch&, const ChildMatch&) = default;
};

/// Columns whose children match those of a row's vertex by the same pattern.
struct MatchBatch {
  std::span<const ChildMatch> matches;  ///< in ascending order of a, then of b
  const std::uint32_t* places;          ///< indices of the columns in the differences
  const std::uint32_t* ranks;           ///< of the matching children: `size` for each match
  std::size_t size;
  std::size_t others;  ///< number of children of the columns
};

}  // namespace espalier
