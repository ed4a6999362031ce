#pragma once

#include <memory>
#include <span>
#include <vector>

#include "embed/composer.hpp"
#include "embed/plan.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/embed/distributed_trees.hpp"

namespace espalier::distributed {

/// Carries out plans. Each thread needs its own.
class Evaluator {
 public:
  Evaluator(const DistributedTreeOptions& options, const LabelSigns& labels);

  /// Computes one slice of the rows of a plan. `rows` has one row of the dimension for each tree.
  /// Throws Error if a value exceeds single precision.
  void run(const Plan& plan, const Slice& slice, float* rows);

  /// Memory for one slot.
  static std::size_t bytes_per_slot(const Slice& slice) {
    return slice.padded_size() * sizeof(float);
  }

 private:
  Operand operand(const Plan& plan, const Plan::Child& child) const;
  void evaluate(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void evaluate_paths(const Plan& plan, const Plan::Step& step, const Slice& slice);
  void write(const Plan& plan, const Plan::Output& output, const Slice& slice, float* rows);
  float* slot(std::size_t i) const { return slots_ + i * stride_; }

  DistributedTreeOptions options_;
  const LabelSigns& labels_;
  std::unique_ptr<Composer> composer_;
  float scale_;                  ///< sqrt(decay)
  Matrix<float> memory_;         ///< two slots for what is composed, then those of the plan
  float* slots_ = nullptr;
  std::size_t stride_ = 0;       ///< floats of a slot
  std::vector<Operand> terms_;
};

}  // namespace espalier::distributed
