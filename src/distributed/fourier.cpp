#include "distributed/fourier.hpp"

#include <cmath>
#include <complex>

#include "base/simd.hpp"
#include "distributed/fourier_lanes.hpp"

namespace espalier::distributed {

namespace {

using Factors = RealFourier::Factors;

/// Up to here a vector is transformed number by number.
constexpr std::size_t small_size = 128;

void forward_small(float* re, float* im, std::size_t length, const Factors* factors) {
  for (std::size_t half = length / 2, nodes = 1; half > 0; half /= 2, nodes *= 2) {
    for (std::size_t m = 0; m < nodes; ++m) {
      const auto [w_re, w_im] = factors[nodes + m].own;
      for (std::size_t i = 2 * half * m; i < 2 * half * m + half; ++i) {
        const float u = re[i + half] * w_re - im[i + half] * w_im;
        const float v = re[i + half] * w_im + im[i + half] * w_re;
        re[i + half] = re[i] - u;
        im[i + half] = im[i] - v;
        re[i] += u;
        im[i] += v;
      }
    }
  }
}

void inverse_small(float* re, float* im, std::size_t length, const Factors* factors) {
  for (std::size_t half = 1, nodes = length / 2; half < length; half *= 2, nodes /= 2) {
    for (std::size_t m = 0; m < nodes; ++m) {
      const auto [w_re, w_im] = factors[nodes + m].own;
      for (std::size_t i = 2 * half * m; i < 2 * half * m + half; ++i) {
        const float u = re[i] - re[i + half];
        const float v = im[i] - im[i + half];
        re[i] += re[i + half];
        im[i] += im[i + half];
        re[i + half] = u * w_re + v * w_im;
        im[i + half] = v * w_re - u * w_im;
      }
    }
  }
}

/// x^(2 half) - 1 into x^half - 1 and x^half + 1, or back.
void split_small(float* x, std::size_t half) {
  for (std::size_t i = 0; i < half; ++i) {
    const float a = x[i], b = x[i + half];
    x[i] = a + b;
    x[i + half] = a - b;
  }
}

ESPALIER_SIMD void forward_large(float* x, std::size_t size, const Factors* factors,
                                 const float* lane_factors) {
  for (std::size_t half = size / 2; half >= small_size; half /= 2) {
    split(x, half);
    forward_complex(x + half, x + half + half / 2, half / 2, factors, lane_factors);
  }
}

ESPALIER_SIMD void inverse_large(float* x, std::size_t size, const Factors* factors,
                                 const float* lane_factors) {
  for (std::size_t half = small_size; half < size; half *= 2) {
    inverse_complex(x + half, x + half + half / 2, half / 2, factors, lane_factors);
    split(x, half);
  }
}

ESPALIER_SIMD void multiply_complex(const float* a, const float* b, float factor,
                                    std::size_t length, float* out) {
  for (std::size_t i = 0; i < length; ++i) {
    const float a_re = a[i] * factor, a_im = a[i + length] * factor;
    const float b_re = b[i], b_im = b[i + length];
    out[i] = a_re * b_re - a_im * b_im;
    out[i + length] = a_re * b_im + a_im * b_re;
  }
}

}  // namespace

RealFourier::RealFourier(std::size_t size) : size_(size) {
  make_factors();
  make_lane_factors();
}

void RealFourier::make_factors() {
  using Double = std::complex<double>;
  // Half angles by square roots, which are rounded alike everywhere; sines and cosines are not.
  std::vector<Double> own(std::max<std::size_t>(size_ / 2, 4));
  own[1] = {std::sqrt(0.5), std::sqrt(0.5)};
  for (std::size_t k = 1; 2 * k + 1 < own.size(); ++k) {
    // From the larger of the two: the other would be a difference of nearly equal numbers.
    const double larger = std::sqrt((1 + std::abs(own[k].real())) / 2);
    const double smaller = own[k].imag() / (2 * larger);
    own[2 * k] = own[k].real() > 0 ? Double(larger, smaller) : Double(smaller, larger);
    own[2 * k + 1] = {-own[2 * k].imag(), own[2 * k].real()};
  }
  const auto rounded = [](double re, double im) {
    return Complex{static_cast<float>(re), static_cast<float>(im)};
  };
  factors_.resize(own.size());
  for (std::size_t k = 1; k < own.size(); ++k) {
    const Double w = own[k], c = 2 * k < own.size() ? own[2 * k] : Double();
    factors_[k] = {rounded(w.real(), w.imag()), rounded(c.real(), c.imag()),
                   rounded(w.real() * c.real() - w.imag() * c.imag(),
                           w.real() * c.imag() + w.imag() * c.real())};
  }
}

void RealFourier::make_lane_factors() {
  if (size_ <= small_size) return;
  const std::size_t nodes = size_ / 16;  // of the last level that has eight numbers in each
  lane_factors_.resize(8 * nodes);
  for (std::size_t k = 8; k < nodes; ++k) {
    const std::size_t sources[] = {k, 2 * k, 4 * k, 4 * k + 2};
    for (std::size_t f = 0; f < 4; ++f) {
      float* const to = lane_factors_.data() + 64 * (k / 8) + 16 * f + k % 8;
      to[0] = factors_[sources[f]].own.re;
      to[8] = factors_[sources[f]].own.im;
    }
  }
}

void RealFourier::forward(float* x) const {
  if (size_ > small_size) forward_large(x, size_, factors_.data(), lane_factors_.data());
  for (std::size_t half = std::min(size_, small_size) / 2; half > 0; half /= 2) {
    split_small(x, half);
    forward_small(x + half, x + half + half / 2, half / 2, factors_.data());
  }
}

void RealFourier::inverse(float* x) const {
  for (std::size_t half = 1; half < std::min(size_, small_size); half *= 2) {
    inverse_small(x + half, x + half + half / 2, half / 2, factors_.data());
    split_small(x, half);
  }
  if (size_ > small_size) inverse_large(x, size_, factors_.data(), lane_factors_.data());
}

void RealFourier::multiply(const float* a, const float* b, float factor, float* out) const {
  for (std::size_t i = 0; i < std::min<std::size_t>(size_, 2); ++i) out[i] = a[i] * factor * b[i];
  // Twice: inverse() multiplies complex numbers by half as much as real ones.
  for (std::size_t half = 2; half < size_; half *= 2) {
    multiply_complex(a + half, b + half, 2 * factor, half / 2, out + half);
  }
}

}  // namespace espalier::distributed
