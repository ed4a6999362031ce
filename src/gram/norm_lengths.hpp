#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/bags.hpp"
#include "engine/scaled.hpp"

namespace espalier {

/// Below this, products of kernel values may be subnormal and lose bits.
inline constexpr double smallest_ordinary = 1e-290;

/// Whether a self-kernel fits a double.
enum class Magnitude : std::uint8_t { ordinary, small, large };

/// The divisors of a norm for one side.
struct SideLengths {
  std::vector<double> roots;          ///< of the self-kernels
  std::vector<Magnitude> magnitudes;  ///< empty if all are ordinary
  std::vector<Scaled> scaled;         ///< self-kernels, unless all are ordinary
};

/// The divisors of a norm. Where the self-kernel of an example overflows or underflows, most of its
/// kernels with others are still ordinary numbers: only the others need Scaled.
struct NormLengths {
  SideLengths rows;
  SideLengths columns;

  bool all_ordinary() const { return rows.magnitudes.empty() && columns.magnitudes.empty(); }

  /// Whether the double `value` of a pair is unreliable. An underflow between a large example and
  /// an ordinary one is 0 after the division anyway.
  bool is_lost(std::size_t i, std::size_t j, double value) const {
    if (is_ordinary(i, j)) return false;
    const bool small =
        rows.magnitudes[i] == Magnitude::small || columns.magnitudes[j] == Magnitude::small;
    return !std::isfinite(value) || (small && value < smallest_ordinary);
  }
  bool is_ordinary(std::size_t i, std::size_t j) const {
    return rows.magnitudes[i] == Magnitude::ordinary &&
           columns.magnitudes[j] == Magnitude::ordinary;
  }
};

/// The parts of a block that hold all lost values: some of its rows, or of its columns, or all.
std::vector<std::pair<Slice, Slice>> lost_parts(const NormLengths& lengths, Slice rows,
                                                Slice columns, BlockView<double> values);

}  // namespace espalier
