#pragma once

#include <memory>
#include <span>
#include <vector>

#include "distributed/composer.hpp"
#include "distributed/plan.hpp"
#include "distributed/scaled_vector.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/distributed/distributed_trees.hpp"

namespace espalier::distributed {

/// Where the rows of a plan are written: a row of the dimension for each tree, and for each of its
/// slices the power of two that is left out because the slice does not fit single precision.
struct RowSlices {
  float* values;
  std::int64_t* exponents;
  std::size_t slices;
};

/// Executes plans. Each thread needs its own.
class Evaluator {
 public:
  Evaluator(const DistributedTreeOptions& options, const LabelVectors& labels, double gamma);

  /// Computes slice number `index` of the rows of a plan.
  void run(const Plan& plan, const Slice& slice, std::size_t index, const RowSlices& rows);

  /// Memory for a plan.
  static std::size_t bytes(const Plan& plan, const Slice& slice) {
    return plan.slots * slice.padded_size() * sizeof(float) +
           plan.sign_slots * sign_words(slice.size) * sizeof(std::uint32_t);
  }

 private:
  Operand operand(const Plan& plan, const Plan::Child& child);
  void evaluate(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void evaluate_paths(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void write(const Plan& plan, const Plan::Output& output, const Slice& slice, std::size_t index,
             const RowSlices& rows);
  void evaluate_signs(const Plan& plan, const Plan::Step& step, const Slice& slice);
  Operand total(const Plan& plan, const Plan::Child& child);

  // In double precision, with exponents: for the papers' recipe, and where the product of
  // the children of a node may leave the range of single precision.
  bool fits_single(const Plan& plan, const Plan::Step& step) const;
  void evaluate_scaled(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void evaluate_scaled_paths(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void compose_scaled(const ScaledVector& left, const ScaledVector& right, const Slice& slice,
                      ScaledVector& out);
  void add_label(std::uint32_t label, const Slice& slice, ScaledVector& to);
  void add_own(const Plan& plan, const Plan::Child& child, const Slice& slice, ScaledVector& to);
  void add_total(const Plan& plan, const Plan::Child& child, const Slice& slice, ScaledVector& to);
  void store(ScaledVector& from, std::uint32_t slot);

  float* slot(std::size_t i) { return slots_ + i * stride_; }
  std::uint32_t* sign_slot(std::size_t i) { return signs_.data() + (i + 2) * sign_stride_; }

  DistributedTreeOptions options_;
  const LabelVectors& labels_;
  std::unique_ptr<Composer> composer_;
  float scale_;           ///< sqrt(decay)
  Matrix<float> memory_;  ///< two slots for intermediate results, then those of the plan
  float* slots_ = nullptr;
  std::size_t stride_ = 0;            ///< floats of a slot
  std::vector<std::uint32_t> signs_;  ///< the same for vectors of +-1
  std::size_t sign_stride_ = 0;
  std::vector<Operand> terms_;
  std::vector<std::int64_t> exponents_;  ///< of the slots
  std::vector<float> largest_;           ///< of the slots of s(n) with exponent 0
  ScaledVector left_, right_, composed_;
  std::vector<float> entries_;
};

}  // namespace espalier::distributed
