#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace espalier::distributed {

/// values * 2^exponent: a vector whose entries may leave the range of single precision, and even
/// that of double precision.
struct ScaledVector {
  static constexpr std::int64_t zero = std::numeric_limits<std::int64_t>::min() / 2;

  std::vector<double> values;
  std::int64_t exponent = zero;  ///< `zero` for zeros

  void clear(std::size_t size) {
    values.assign(size, 0);
    exponent = zero;
  }

  /// Adds factor * terms * 2^power.
  template <class T>
  void add(std::span<const T> terms, double factor, std::int64_t power) {
    const std::int64_t larger = std::max(exponent, power);
    if (larger != exponent && exponent != zero) {
      const double shrink = power_of_two(exponent - larger);
      for (double& value : values) value *= shrink;
    }
    exponent = larger;
    const double scale = factor * power_of_two(power - larger);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += scale * static_cast<double>(terms[i]);
    }
  }

  double largest() const {
    double out = 0;
    for (const double value : values) out = std::max(out, std::abs(value));
    return out;
  }

  /// Brings the largest entry near 1 if it is far from it. Exact.
  void rescale() {
    const double most = largest();
    if (most == 0) {
      exponent = zero;
    } else if (most < 0x1p-30 || most > 0x1p30) {
      shift(std::ilogb(most));
    }
  }

  /// Writes the entries in single precision, and returns the exponent that they lack: 0 unless it
  /// is far from 0.
  std::int64_t store(float* out) {
    constexpr std::int64_t near = 60;
    const double most = largest();
    if (most == 0) {
      std::fill_n(out, values.size(), 0.0F);
      return 0;
    }
    const std::int64_t magnitude = exponent + std::ilogb(most);
    const std::int64_t left = -near < magnitude && magnitude < near ? 0 : magnitude;
    shift(static_cast<int>(left - exponent));
    std::ranges::transform(values, out, [](double value) { return static_cast<float>(value); });
    return left;
  }

  static double power_of_two(std::int64_t exponent) {
    return std::ldexp(1.0, static_cast<int>(std::clamp<std::int64_t>(exponent, -2000, 2000)));
  }

 private:
  void shift(int by) {
    const double factor = power_of_two(-by);
    for (double& value : values) value *= factor;
    exponent += by;
  }
};

}  // namespace espalier::distributed
