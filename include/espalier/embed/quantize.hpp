#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"

namespace espalier {

/// Vectors with one byte a number, for search: row i stands for scales[i] * codes.row(i).
struct QuantizedRows {
  Matrix<std::int8_t> codes;
  std::vector<float> scales;  ///< per row: the largest absolute value / 127; 0 for a row of zeros
};

/// Rounds each row to whole multiples of its scale, none further than half a scale away. Linear.
/// Throws Error if a number is not finite.
QuantizedRows quantize(const Matrix<float>& rows);

/// The dot product of two rows of codes, exact; times both scales it estimates that of the vectors.
/// Requires the same length of both, below 2^17 numbers.
std::int32_t dot(std::span<const std::int8_t> a, std::span<const std::int8_t> b);

}  // namespace espalier
