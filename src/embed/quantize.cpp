#include "espalier/embed/quantize.hpp"

#include <algorithm>
#include <cmath>

#include "base/simd.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

float largest(std::span<const float> row) {
  float out = 0;
  for (const float x : row) {
    if (!std::isfinite(x)) throw Error("a row to be quantized has a number that is not finite");
    out = std::max(out, std::abs(x));
  }
  return out;
}

}  // namespace

QuantizedRows quantize(const Matrix<float>& rows) {
  QuantizedRows out{Matrix<std::int8_t>(rows.rows(), rows.columns()), {}};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float scale = largest(rows.row(i)) / 127;
    out.scales.push_back(scale);
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      // A subnormal scale may round to 0 although the row is not 0.
      const float code = scale > 0 ? std::nearbyint(rows(i, j) / scale) : 0;
      out.codes(i, j) = static_cast<std::int8_t>(std::clamp(code, -127.0F, 127.0F));
    }
  }
  return out;
}

ESPALIER_SIMD std::int32_t dot(std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<std::int16_t>(std::int16_t{a[i]} * std::int16_t{b[i]});
  }
  return sum;
}

}  // namespace espalier
