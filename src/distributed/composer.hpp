#pragma once

#include <memory>
#include <span>

#include "distributed/label_vectors.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/distributed/distributed_trees.hpp"

namespace espalier::distributed {

/// An operand of a composition: label + scale * vector, either of which may be missing. Internally,
/// vectors are scaled by sqrt(d), so that labels are +-1 and their products need no factor.
struct Operand {
  std::uint32_t label = none;
  const float* vector = nullptr;
  float scale = 1;
  const std::uint32_t* signs = nullptr;  ///< instead of vector: a vector of +-1
};

/// A sum that is accumulated along with a composition.
struct Totals {
  std::span<const Operand> terms;  ///< without labels, scale 1
  float* sum = nullptr;            ///< sum of the composition and then each of the terms
};

/// Composes slices of vectors. Each thread needs its own.
class Composer {
 public:
  Composer() = default;
  Composer(const Composer&) = delete;
  Composer& operator=(const Composer&) = delete;
  virtual ~Composer() = default;
  /// out = left (x) right. `out` must not alias the operands.
  virtual void compose(const Operand& left, const Operand& right, const Slice& slice, float* out,
                       const Totals& totals = {}) = 0;
  /// The same in double precision, of whole vectors in their plain order.
  virtual void compose(std::span<const double> left, std::span<const double> right,
                       const Slice& slice, std::span<double> out) = 0;
};

/// `gamma`: the factor of a product, for vectors scaled by sqrt(d); 1 for those of +-1.
std::unique_ptr<Composer> make_composer(const DistributedTreeOptions& options,
                                        const LabelVectors& labels, double gamma);
std::unique_ptr<Composer> make_product(const LabelVectors& labels, double gamma);
/// For a single slice whose size is a power of two.
std::unique_ptr<Composer> make_convolution(const LabelVectors& labels, std::size_t dimension,
                                           bool keep_mean);

/// sum = from, and then each of the terms, for the blocks first .. end of one group of 32.
ESPALIER_INLINE void add_terms(std::span<const Operand> terms, std::size_t first, std::size_t end,
                               const float* from, float* sum) {
  for (const Operand& term : terms) {
    if (term.signs != nullptr) {
      Words words = load(term.signs + first / 32 * lane_count);
      for (std::size_t i = lane_count * first; i < lane_count * end; i += lane_count) {
        store(sum + i, load(from + i) + next_signed_ones(words));
      }
    } else {
      for (std::size_t i = lane_count * first; i < lane_count * end; i += lane_count) {
        store(sum + i, load(from + i) + load(term.vector + i));
      }
    }
    from = sum;
  }
}

/// What an operand has in addition to its label: `composed` is a vector with scale 1.
enum class Body { nothing, composed, vector, signs };

/// An operand of one side, shuffled, block by block.
template <Side side, bool blocks, bool has_label, Body body>
class ShuffledOperand {
 public:
  ESPALIER_INLINE ShuffledOperand(const Operand& operand, const LabelVectors& labels,
                                  const Slice& slice)
      : words_(has_label ? labels.words(operand.label, static_cast<Form>(side), slice) : nullptr),
        operand_(operand),
        order_(slice.order[side].data()) {}

  /// Before the blocks from `first` on, a multiple of 32, and up to 31 more.
  ESPALIER_INLINE void enter(std::size_t first) {
    if constexpr (has_label) label_ = load(words_ + first / 32 * lane_count);
  }
  /// Requires ascending i.
  ESPALIER_INLINE Lanes block(std::size_t i) {
    if constexpr (body == Body::nothing) return next_signed_ones(label_);
    if constexpr (body == Body::composed) return gathered(i);
    const Lanes scaled = gathered(i) * operand_.scale;
    if constexpr (!has_label) return scaled;
    return next_signed_ones(label_) + scaled;
  }

 private:
  ESPALIER_INLINE Lanes gathered(std::size_t i) const {
    if constexpr (!blocks) {
      Lanes out;
      for (std::size_t l = 0; l < lane_count; ++l) out[l] = entry(order_[lane_count * i + l]);
      return out;
    } else if constexpr (body != Body::signs) {
      return shuffled_lanes<side>(load(operand_.vector + order_[i]));
    } else {
      const std::uint32_t source = order_[i] / lane_count;
      const Words words = load(operand_.signs + source / 32 * lane_count);
      return shuffled_lanes<side>(signed_ones(words << (source % 32)));
    }
  }
  ESPALIER_INLINE float entry(std::uint32_t i) const {
    if constexpr (body != Body::signs) return operand_.vector[i];
    const std::uint32_t word = operand_.signs[i / 256 * lane_count + i % lane_count];
    return (word << (i % 256 / lane_count) & sign_bit) != 0 ? -1.0F : 1.0F;
  }

  const std::uint32_t* words_;
  Operand operand_;
  const std::uint32_t* order_;
  Words label_;
};

/// Calls use(shuffled) with the operand in the matching form.
template <Side side, bool blocks, class Use>
ESPALIER_INLINE void with_shuffled(const Operand& operand, const LabelVectors& labels,
                                   const Slice& slice, Use&& use) {
  if (operand.signs != nullptr) {
    if (operand.label == none) {
      use(ShuffledOperand<side, blocks, false, Body::signs>(operand, labels, slice));
    } else {
      use(ShuffledOperand<side, blocks, true, Body::signs>(operand, labels, slice));
    }
  } else if (operand.vector == nullptr) {
    use(ShuffledOperand<side, blocks, true, Body::nothing>(operand, labels, slice));
  } else if (operand.label == none && operand.scale == 1) {
    use(ShuffledOperand<side, blocks, false, Body::composed>(operand, labels, slice));
  } else if (operand.label == none) {
    use(ShuffledOperand<side, blocks, false, Body::vector>(operand, labels, slice));
  } else {
    use(ShuffledOperand<side, blocks, true, Body::vector>(operand, labels, slice));
  }
}

}  // namespace espalier::distributed
