#include <algorithm>

#include "base/simd.hpp"
#include "distributed/composer.hpp"

namespace espalier::distributed {

namespace {

template <class Left, class Right>
ESPALIER_INLINE void multiply(Left left, Right right, std::size_t blocks, float* out,
                              const Totals& totals) {
  for (std::size_t first = 0; first < blocks; first += 32) {
    left.enter(first);
    right.enter(first);
    const std::size_t end = std::min(first + 32, blocks);
    for (std::size_t i = first; i < end; ++i) {
      store(out + lane_count * i, left.block(i) * right.block(i));
    }
    add_terms(totals.terms, first, end, out, totals.sum);
  }
}

template <bool blocks>
ESPALIER_INLINE void multiply(const Operand& left, const Operand& right, const LabelVectors& labels,
                              const Slice& slice, float* out, const Totals& totals) {
  with_shuffled<left_side, blocks>(left, labels, slice, [&](auto l) ESPALIER_INLINE_LAMBDA {
    with_shuffled<right_side, blocks>(right, labels, slice, [&](auto r) ESPALIER_INLINE_LAMBDA {
      multiply(l, r, slice.blocks(), out, totals);
    });
  });
}

ESPALIER_SIMD void multiply_blocks(const Operand& left, const Operand& right,
                                   const LabelVectors& labels, const Slice& slice, float* out,
                                   const Totals& totals) {
  multiply<true>(left, right, labels, slice, out, totals);
}

ESPALIER_SIMD void multiply_entries(const Operand& left, const Operand& right,
                                    const LabelVectors& labels, const Slice& slice, float* out,
                                    const Totals& totals) {
  multiply<false>(left, right, labels, slice, out, totals);
}

class Product final : public Composer {
 public:
  Product(const LabelVectors& labels, double gamma) : labels_(labels), gamma_(gamma) {}

  void compose(const Operand& left, const Operand& right, const Slice& slice, float* out,
               const Totals& totals) override {
    if (slice.whole_blocks) {
      multiply_blocks(left, right, labels_, slice, out, totals);
    } else {
      multiply_entries(left, right, labels_, slice, out, totals);
    }
  }

  void compose(std::span<const double> left, std::span<const double> right, const Slice& slice,
               std::span<double> out) override {
    for (std::size_t i = 0; i < slice.size; ++i) {
      out[i] = gamma_ * left[slice.source(left_side, i)] * right[slice.source(right_side, i)];
    }
  }

 private:
  const LabelVectors& labels_;
  double gamma_;
};

}  // namespace

std::unique_ptr<Composer> make_product(const LabelVectors& labels, double gamma) {
  return std::make_unique<Product>(labels, gamma);
}

}  // namespace espalier::distributed
