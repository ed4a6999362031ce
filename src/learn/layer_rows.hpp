#pragma once

// The elementwise operations of a network between matrix products, row by row.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/hash.hpp"
#include "base/simd.hpp"
#include "espalier/base/random.hpp"
#include "espalier/learn/network.hpp"

namespace espalier {

template <class T>
ESPALIER_SIMD void add_bias(const T* __restrict bias, bool rectified, T* __restrict z,
                            std::size_t size) {
  if (rectified) {
    for (std::size_t k = 0; k < size; ++k) z[k] = z[k] + bias[k] > 0 ? z[k] + bias[k] : T{0};
  } else {
    for (std::size_t k = 0; k < size; ++k) z[k] += bias[k];
  }
}

/// Adds the bias; then max(z, 0) if the layer is rectified.
template <class T>
void activate(const DenseLayer<T>& layer, std::span<T> z) {
  add_bias(layer.bias.data(), layer.rectified, z.data(), z.size());
}

/// Back-propagates through dropout and ReLU: where the value is 0, the derivative is 0; others are
/// multiplied by `scale`.
template <class T>
ESPALIER_SIMD void pass_back(const T* __restrict values, T scale, T* __restrict derivatives,
                             std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) derivatives[k] *= values[k] != 0 ? scale : T{0};
}

/// Inverted dropout: sets a random fraction of the values of a row to 0 and scales up the others.
class Dropout {
 public:
  /// Rates of the input and of the hidden layers.
  Dropout(double input, double hidden, std::uint64_t seed)
      : input_(input), hidden_(hidden), seed_(seed) {}

  /// The factor of values kept in a hidden layer.
  double scale() const { return hidden_.scale; }

  /// Layer 0 is the input. The mask depends only on the seed, the step, the layer and the row.
  template <class T>
  void apply(std::uint64_t step, std::uint64_t layer, std::uint64_t row,
             std::span<T> values) const {
    const Share& share = layer == 0 ? input_ : hidden_;
    if (share.limit == 0) return;
    Random random(
        hash::mix(hash::mix(seed_ ^ hash::key1, step ^ hash::key2) ^ layer, row ^ hash::key2));
    std::uint16_t chances[64];
    for (std::size_t begin = 0; begin < values.size(); begin += std::size(chances)) {
      const std::size_t count = std::min(std::size(chances), values.size() - begin);
      draw(random, count, chances);
      leave_out(chances, share.limit, static_cast<T>(share.scale), values.data() + begin, count);
    }
  }

 private:
  struct Share {
    explicit Share(double left_out)
        : limit(static_cast<std::uint16_t>(left_out * (1 << 16))),
          scale((1 << 16) / static_cast<double>((1 << 16) - limit)) {}
    std::uint16_t limit;  ///< a 16-bit random number below it drops the value
    double scale;
  };

  /// Four 16-bit numbers from each random number.
  static void draw(Random& random, std::size_t count, std::uint16_t* chances) {
    for (std::size_t k = 0; k < count; k += 4) {
      const std::uint64_t bits = random.next();
      for (std::size_t part = 0; part < 4; ++part) {
        chances[k + part] = static_cast<std::uint16_t>(bits >> (16 * part));
      }
    }
  }

  template <class T>
  ESPALIER_SIMD static void leave_out(const std::uint16_t* __restrict chances, std::uint16_t limit,
                                      T scale, T* __restrict values, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) values[k] *= chances[k] < limit ? T{0} : scale;
  }

  Share input_;
  Share hidden_;
  std::uint64_t seed_;
};

}  // namespace espalier
