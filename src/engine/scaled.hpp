#pragma once

#include <cmath>
#include <cstdint>

namespace espalier {

/// A number of extended range: a double with a separate 64-bit exponent. Kernels of large trees are
/// computed with it where doubles overflow or underflow; it is several times slower.
class Scaled {
 public:
  Scaled() = default;
  Scaled(double value) : mantissa_(value) { normalise(); }  // NOLINT: any double is a Scaled

  Scaled& operator+=(const Scaled& other) {
    if (other.mantissa_ == 0) return *this;
    if (mantissa_ == 0) return *this = other;
    const std::int64_t shift = exponent_ - other.exponent_;
    if (shift >= 0) {
      if (shift < precision) mantissa_ += std::ldexp(other.mantissa_, -static_cast<int>(shift));
    } else {
      const double small = -shift < precision ? std::ldexp(mantissa_, static_cast<int>(shift)) : 0;
      mantissa_ = other.mantissa_ + small;
      exponent_ = other.exponent_;
    }
    normalise();
    return *this;
  }
  Scaled& operator-=(const Scaled& other) {
    Scaled negative = other;
    negative.mantissa_ = -negative.mantissa_;
    return *this += negative;
  }
  Scaled& operator*=(const Scaled& other) {
    mantissa_ *= other.mantissa_;
    exponent_ += other.exponent_;
    normalise();
    return *this;
  }
  friend bool operator==(const Scaled&, const Scaled&) = default;
  friend Scaled operator+(Scaled a, const Scaled& b) { return a += b; }
  friend Scaled operator-(Scaled a, const Scaled& b) { return a -= b; }
  friend Scaled operator*(Scaled a, const Scaled& b) { return a *= b; }

  /// this * 2^power.
  Scaled shifted(std::int64_t power) const {
    Scaled out = *this;
    if (mantissa_ != 0) out.exponent_ += power;
    return out;
  }

  /// this / sqrt(x y), which fits a double when this is a kernel value and x, y its self-kernels.
  double normalised_by(const Scaled& x, const Scaled& y) const {
    if (x.mantissa_ == 0 || y.mantissa_ == 0) return 0;
    // An odd sum of exponents has no exact half: one factor of 2 moves into the mantissa.
    const std::int64_t sum = x.exponent_ + y.exponent_;
    const std::int64_t odd = sum & 1;
    const double root = std::sqrt(x.mantissa_ * y.mantissa_ * (odd != 0 ? 2 : 1));
    const std::int64_t exponent = exponent_ - (sum - odd) / 2;
    if (exponent < -2000) return 0;
    return std::ldexp(mantissa_ / root, static_cast<int>(exponent));
  }

 private:
  static constexpr std::int64_t precision = 64;  ///< beyond the 53 bits of a double

  void normalise() {
    int shift = 0;
    mantissa_ = std::frexp(mantissa_, &shift);
    exponent_ = mantissa_ == 0 ? 0 : exponent_ + shift;
  }

  double mantissa_ = 0;  ///< 0, or in [0.5, 1)
  std::int64_t exponent_ = 0;
};

}  // namespace espalier
