#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/inputs.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/context.hpp"
#include "espalier/engine/fitted_kernel.hpp"
#include "gram/norm_lengths.hpp"

namespace espalier {

/// Evaluation plan for several kernels of one shape (the settings of a sweep): leaves with their
/// inputs, and how their blocks are combined. Pairs and tree names have been expanded to sums and
/// products. Immutable; each thread evaluates it with its own PlanWorker.
struct Plan {
  enum class Kind { leaf, constant, sum, product, norm };

  Kind kind = Kind::constant;
  std::vector<Plan> parts;

  std::optional<Leaf> leaf;       ///< of a leaf, for all settings
  std::vector<double> constants;  ///< of a constant, per setting

  std::vector<NormLengths> lengths;  ///< of a norm, per setting
  bool same_sides = false;           ///< of a norm: row i and column i are the same example
};

/// Whether the kernels differ only in numbers.
bool same_shape(const KernelNode& a, const KernelNode& b);

/// Requires at most most_lanes kernels of the same shape, which share the state.
Plan make_plan(std::span<const KernelNode* const> settings, const KernelState& state,
               const Side& rows, const Side& columns, Inputs& inputs, const Context& context);

/// Evaluates a plan, for one thread.
class PlanWorker {
 public:
  explicit PlanWorker(const Plan& plan);

  /// Prepares for a block. Its rows must then be requested in ascending order.
  void start(Slice rows, Slice columns);
  /// Overwrites outs[s] with the next rows of the block of setting s.
  void rows(Slice rows, std::span<const BlockView<double>> outs);
  /// The block of one setting of a leaf in extended range.
  void scaled_block(std::size_t setting, Slice rows, Slice columns, BlockView<Scaled> out);
  /// Upper bound on the memory for a block in bytes, if its rows are requested tile by tile. A
  /// cheap estimate if that does not exceed `enough`.
  std::size_t bytes(Slice rows, Slice columns, std::size_t enough);

 private:
  void normalise(Slice rows, std::span<const BlockView<double>> outs);
  void divide(std::size_t setting, Slice rows, BlockView<double> out);

  const Plan& plan_;
  Slice columns_;  ///< of the block
  std::vector<PlanWorker> parts_;
  std::unique_ptr<LeafWorker> leaf_;  ///< or null
  std::vector<double> buffer_;        ///< of a sum or product: one part's blocks
  std::vector<Scaled> scaled_;        ///< of a norm: values that overflow or underflow
};

}  // namespace espalier
