#pragma once

#include <memory>
#include <span>

#include "embed/label_signs.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/embed/distributed_trees.hpp"

namespace espalier::distributed {

/// What is composed: label + scale * vector, where either may be missing. Vectors are sqrt(d) times
/// those that users see, so that labels are +-1 and their products need no factor.
struct Operand {
  std::uint32_t label = none;
  const float* vector = nullptr;  ///< aligned to 32 bytes
  float scale = 1;
};

/// Composes slices of vectors. Each thread needs its own.
class Composer {
 public:
  Composer() = default;
  Composer(const Composer&) = delete;
  Composer& operator=(const Composer&) = delete;
  virtual ~Composer() = default;
  /// out = left (x) right. `out` must be neither of the vectors.
  virtual void compose(const Operand& left, const Operand& right, const Slice& slice, float* out) = 0;
};

std::unique_ptr<Composer> make_composer(const DistributedTreeOptions& options,
                                        const LabelSigns& labels);
std::unique_ptr<Composer> make_product(const LabelSigns& labels);
/// For a single slice whose size is a power of two.
std::unique_ptr<Composer> make_convolution(const LabelSigns& labels, std::size_t dimension);

/// An operand of that side, shuffled, one block after the other.
template <Side side, bool blocks, bool has_label, bool has_vector>
class ShuffledOperand {
 public:
  ESPALIER_INLINE ShuffledOperand(const Operand& operand, const LabelSigns& labels,
                                  const Slice& slice)
      : words_(has_label ? labels.words(operand.label, Form{side}, slice.begin) : nullptr),
        vector_(operand.vector),
        order_(slice.order[side].data()),
        scale_(operand.scale) {}

  /// Before the blocks from `first` on, a multiple of 32, and up to 31 more.
  ESPALIER_INLINE void enter(std::size_t first) {
    if constexpr (has_label) signs_ = load(words_ + first / 32 * lane_count);
  }
  ESPALIER_INLINE Lanes block(std::size_t i) const {
    if constexpr (!has_vector) {
      return signed_ones(signs_, i % 32);
    } else if constexpr (!has_label) {
      return gathered(i) * scale_;
    } else {
      return signed_ones(signs_, i % 32) + gathered(i) * scale_;
    }
  }

 private:
  ESPALIER_INLINE Lanes gathered(std::size_t i) const {
    if constexpr (blocks) return shuffled_lanes<side>(load(vector_ + order_[i]));
    Lanes out;
    for (std::size_t l = 0; l < lane_count; ++l) out[l] = vector_[order_[lane_count * i + l]];
    return out;
  }

  const std::uint32_t* words_;
  const float* vector_;
  const std::uint32_t* order_;
  float scale_;
  Words signs_;
};

/// Calls use(shuffled) with the operand in the form that fits what it has.
template <Side side, bool blocks, class Use>
ESPALIER_INLINE void with_shuffled(const Operand& operand, const LabelSigns& labels,
                                   const Slice& slice, Use&& use) {
  if (operand.vector == nullptr) {
    use(ShuffledOperand<side, blocks, true, false>(operand, labels, slice));
  } else if (operand.label == none) {
    use(ShuffledOperand<side, blocks, false, true>(operand, labels, slice));
  } else {
    use(ShuffledOperand<side, blocks, true, true>(operand, labels, slice));
  }
}

}  // namespace espalier::distributed
