#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/partial_tree/match_batch.hpp"
#include "espalier/base/id_index.hpp"

namespace espalier {

/// Small hash table that finds the batch of the runs with the same match pattern.
class MatchPatterns {
 public:
  MatchPatterns() { forget(); }

  /// The batch of the runs whose children match like that: to be set if it is none, because the
  /// pattern is new, not compared, or does not fit the table. `counts_children`: whether other
  /// children matter too.
  std::uint32_t& batch_of(std::span<const ChildMatch> matches, bool counts_children) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    constexpr std::size_t most_probes = 8;
    const std::uint64_t pattern = counts_children ? unlike : pattern_of(matches);
    for (std::size_t probe = 0; pattern != unlike && probe < most_probes; ++probe) {
      const std::size_t at = ((pattern * odd >> 57) + probe) % size;
      if (batches_[at] == none) patterns_[at] = pattern;
      if (patterns_[at] == pattern) return batches_[at];
    }
    return unknown_ = none;
  }
  void forget() { batches_.fill(none); }

 private:
  /// Equal for matches with equal sums over subsequences: the same children of u at the same
  /// distances.
  static constexpr std::uint64_t unlike = ~std::uint64_t{0};
  static std::uint64_t pattern_of(std::span<const ChildMatch> matches) {
    if (matches.size() > 4) return unlike;
    std::uint64_t out = matches.size();
    for (const ChildMatch& match : matches) {
      const std::uint32_t distance = 64 + match.b - matches[0].b;
      if (match.a >= 256 || distance >= 128) return unlike;
      out = out << 15 | match.a << 7 | distance;
    }
    return out;
  }

  static constexpr std::size_t size = 128;
  std::array<std::uint64_t, size> patterns_{};
  std::array<std::uint32_t, size> batches_;  ///< none where there is no pattern
  std::uint32_t unknown_ = none;
};

}  // namespace espalier
