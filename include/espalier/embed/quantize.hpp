#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"

namespace espalier {

/// Vectors with one byte per component, for search: row i stands for scales[i] * codes.row(i).
struct QuantizedRows {
  Matrix<std::int8_t> codes;
  std::vector<float> scales;  ///< per row: the largest absolute value / 127; 0 for a row of zeros
};

/// Rounds each row to integer multiples of its scale; the error is at most half a scale. Linear.
/// Throws Error if a value is not finite.
QuantizedRows quantize(const Matrix<float>& rows);

/// The exact dot product of two rows of codes; multiplied by both scales it estimates that of the
/// vectors. Requires equal lengths below 2^17.
std::int32_t dot(std::span<const std::int8_t> a, std::span<const std::int8_t> b);

}  // namespace espalier
