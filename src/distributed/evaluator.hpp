#pragma once

#include <memory>
#include <span>
#include <vector>

#include "distributed/composer.hpp"
#include "distributed/plan.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/distributed/distributed_trees.hpp"

namespace espalier::distributed {

/// Executes plans. Each thread needs its own.
class Evaluator {
 public:
  Evaluator(const DistributedTreeOptions& options, const LabelSigns& labels);

  /// Computes one slice of the rows of a plan. `rows` has one row of the dimension for each tree.
  /// Throws Error if a value exceeds single precision.
  void run(const Plan& plan, const Slice& slice, float* rows);

  /// Memory for a plan.
  static std::size_t bytes(const Plan& plan, const Slice& slice) {
    return plan.slots * slice.padded_size() * sizeof(float) +
           plan.sign_slots * sign_words(slice.size) * sizeof(std::uint32_t);
  }

 private:
  Operand operand(const Plan& plan, const Plan::Child& child);
  void evaluate(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void evaluate_paths(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void write(const Plan& plan, const Plan::Output& output, const Slice& slice, float* rows);
  void evaluate_signs(const Plan& plan, const Plan::Step& step, const Slice& slice);
  Operand total(const Plan& plan, const Plan::Child& child);
  float* slot(std::size_t i) { return slots_ + i * stride_; }
  std::uint32_t* sign_slot(std::size_t i) { return signs_.data() + (i + 2) * sign_stride_; }

  DistributedTreeOptions options_;
  const LabelSigns& labels_;
  std::unique_ptr<Composer> composer_;
  float scale_;           ///< sqrt(decay)
  Matrix<float> memory_;  ///< two slots for intermediate results, then those of the plan
  float* slots_ = nullptr;
  std::size_t stride_ = 0;            ///< floats of a slot
  std::vector<std::uint32_t> signs_;  ///< the same for vectors of +-1
  std::size_t sign_stride_ = 0;
  std::vector<Operand> terms_;
};

}  // namespace espalier::distributed
