#include <algorithm>

#include "embed/composer.hpp"
#include "kernel/simd.hpp"

namespace espalier::distributed {

namespace {

template <class Left, class Right>
ESPALIER_INLINE void multiply(Left left, Right right, std::size_t blocks, float* out) {
  for (std::size_t first = 0; first < blocks; first += 32) {
    left.enter(first);
    right.enter(first);
    const std::size_t end = std::min(first + 32, blocks);
    for (std::size_t i = first; i < end; ++i) {
      store(out + lane_count * i, left.block(i) * right.block(i));
    }
  }
}

template <bool blocks>
ESPALIER_INLINE void multiply(const Operand& left, const Operand& right, const LabelSigns& labels,
                              const Slice& slice, float* out) {
  with_shuffled<left_side, blocks>(left, labels, slice, [&](auto l) ESPALIER_INLINE_LAMBDA {
    with_shuffled<right_side, blocks>(right, labels, slice, [&](auto r) ESPALIER_INLINE_LAMBDA {
      multiply(l, r, slice.blocks(), out);
    });
  });
}

ESPALIER_SIMD void multiply_blocks(const Operand& left, const Operand& right,
                                   const LabelSigns& labels, const Slice& slice, float* out) {
  multiply<true>(left, right, labels, slice, out);
}

ESPALIER_SIMD void multiply_entries(const Operand& left, const Operand& right,
                                    const LabelSigns& labels, const Slice& slice, float* out) {
  multiply<false>(left, right, labels, slice, out);
}

class Product final : public Composer {
 public:
  explicit Product(const LabelSigns& labels) : labels_(labels) {}

  void compose(const Operand& left, const Operand& right, const Slice& slice, float* out) override {
    if (slice.whole_blocks) {
      multiply_blocks(left, right, labels_, slice, out);
    } else {
      multiply_entries(left, right, labels_, slice, out);
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
