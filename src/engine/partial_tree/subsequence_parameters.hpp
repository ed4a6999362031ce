#pragma once

#include <algorithm>
#include <cstddef>

namespace espalier {

/// Parameters of D of two vertices with the same label, in terms of their children.
template <class Value>
struct PartialTreeParameters {
  Value factor;      ///< mu: D = base + factor * S, S summed over matching children
  Value inner_base;  ///< D of two inner vertices that share no child label
  Value leaf_base;   ///< D when one of them is a leaf
  Value decay;       ///< lambda: for each child skipped between two of a subsequence
  Value step;        ///< factor for each further child of a subsequence: 1, or lambda^2 (gap=span)
  std::size_t max_length = 0;  ///< of a subsequence; 0: no limit

  /// Whether max_length does not restrict subsequences of m and n children.
  bool is_whole(std::size_t m, std::size_t n) const {
    return max_length == 0 || max_length >= std::min(m, n);
  }
};

}  // namespace espalier
