#include <algorithm>
#include <cmath>

#include "base/simd.hpp"
#include "distributed/composer.hpp"
#include "distributed/fourier.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier::distributed {

namespace {

template <Side side, bool blocks>
ESPALIER_INLINE void shuffle(const Operand& operand, const LabelVectors& labels, const Slice& slice,
                             float* out) {
  with_shuffled<side, blocks>(operand, labels, slice, [&](auto shuffled) ESPALIER_INLINE_LAMBDA {
    for (std::size_t first = 0; first < slice.blocks(); first += 32) {
      shuffled.enter(first);
      const std::size_t end = std::min(first + 32, slice.blocks());
      for (std::size_t i = first; i < end; ++i) store(out + lane_count * i, shuffled.block(i));
    }
  });
}

template <Side side>
ESPALIER_SIMD void shuffle(const Operand& operand, const LabelVectors& labels, const Slice& slice,
                           float* out) {
  if (slice.whole_blocks) {
    shuffle<side, true>(operand, labels, slice, out);
  } else {
    shuffle<side, false>(operand, labels, slice, out);
  }
}

ESPALIER_SIMD void add_all(const Totals& totals, std::size_t blocks, const float* from) {
  for (std::size_t first = 0; first < blocks; first += 32) {
    add_terms(totals.terms, first, std::min(first + 32, blocks), from, totals.sum);
  }
}

class Convolution final : public Composer {
 public:
  Convolution(const LabelVectors& labels, std::size_t dimension, bool keep_mean)
      : labels_(labels),
        keep_mean_(keep_mean),
        fourier_(dimension),
        // Vectors are scaled by sqrt(d), so the product is too large by that; 1/d for the inverse.
        factor_(static_cast<float>(
            1 / (static_cast<double>(dimension) * std::sqrt(static_cast<double>(dimension))))),
        operands_(2, (dimension + 15) / 16 * 16),
        // An even number, so that a left operand never replaces a right one.
        keys_(std::clamp<std::size_t>(most_kept_bytes / (dimension * sizeof(float)), 2, 4096),
              ~std::uint64_t{0}),
        spectra_(keys_.size(), operands_.columns()) {}

  void compose(const Operand& left, const Operand& right, const Slice& slice, float* out,
               const Totals& totals) override {
    const float* const a = spectrum<left_side>(left, slice);
    const float* const b = spectrum<right_side>(right, slice);
    convolve(a, b, out);
    add_all(totals, slice.blocks(), out);
  }

  void compose(std::span<const double> left, std::span<const double> right, const Slice& slice,
               std::span<double> out) override {
    const std::span<const double> operands[] = {left, right};
    for (const Side side : {left_side, right_side}) {
      float* const to = operands_.row(side).data();
      for (std::size_t i = 0; i < slice.size; ++i) {
        to[i] = static_cast<float>(operands[side][slice.source(side, i)]);
      }
      fourier_.forward(to);
    }
    float* const result = operands_.row(left_side).data();
    convolve(result, operands_.row(right_side).data(), result);
    std::copy_n(result, slice.size, out.begin());
  }

 private:
  void convolve(const float* a, const float* b, float* out) const {
    fourier_.multiply(a, b, factor_, out);
    if (!keep_mean_) out[0] = 0;  // the sum of the entries
    fourier_.inverse(out);
  }

  static constexpr std::size_t most_kept_bytes = std::size_t{1} << 26;

  template <Side side>
  const float* spectrum(const Operand& operand, const Slice& slice) {
    float* to = operands_.row(side).data();
    if (operand.vector == nullptr) {
      const std::uint64_t key = std::uint64_t{2} * operand.label + side;
      const std::size_t place = key % keys_.size();
      to = spectra_.row(place).data();
      if (keys_[place] == key) return to;
      keys_[place] = key;
    }
    shuffle<side>(operand, labels_, slice, to);
    fourier_.forward(to);
    return to;
  }

  const LabelVectors& labels_;
  bool keep_mean_;
  RealFourier fourier_;
  float factor_;
  Matrix<float> operands_;
  std::vector<std::uint64_t> keys_;  ///< of the cached spectra: label and side
  Matrix<float> spectra_;
};

}  // namespace

std::unique_ptr<Composer> make_convolution(const LabelVectors& labels, std::size_t dimension,
                                           bool keep_mean) {
  return std::make_unique<Convolution>(labels, dimension, keep_mean);
}

}  // namespace espalier::distributed
