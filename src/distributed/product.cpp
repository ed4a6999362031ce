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
ESPALIER_INLINE void multiply(const Operand& left, const Operand& right, const LabelSigns& labels,
                              const Slice& slice, float* out, const Totals& totals) {
  with_shuffled<left_side, blocks>(left, labels, slice, [&](auto l) ESPALIER_INLINE_LAMBDA {
    with_shuffled<right_side, blocks>(right, labels, slice, [&](auto r) ESPALIER_INLINE_LAMBDA {
      multiply(l, r, slice.blocks(), out, totals);
    });
  });
}

ESPALIER_SIMD void multiply_blocks(const Operand& left, const Operand& right,
                                   const LabelSigns& labels, const Slice& slice, float* out,
                                   const Totals& totals) {
  multiply<true>(left, right, labels, slice, out, totals);
}

ESPALIER_SIMD void multiply_entries(const Operand& left, const Operand& right,
                                    const LabelSigns& labels, const Slice& slice, float* out,
                                    const Totals& totals) {
  multiply<false>(left, right, labels, slice, out, totals);
}

class Product final : public Composer {
 public:
  explicit Product(const LabelSigns& labels) : labels_(labels) {}

  void compose(const Operand& left, const Operand& right, const Slice& slice, float* out,
               const Totals& totals) override {
    if (slice.whole_blocks) {
      multiply_blocks(left, right, labels_, slice, out, totals);
    } else {
      multiply_entries(left, right, labels_, slice, out, totals);
    }
  }

 private:
  const LabelSigns& labels_;
};

}  // namespace

std::unique_ptr<Composer> make_product(const LabelSigns& labels) {
  return std::make_unique<Product>(labels);
}

}  // namespace espalier::distributed
