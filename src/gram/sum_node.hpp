#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gram/function_node.hpp"

namespace espalier {

/// What KernelSums are computed from.
struct SumInput {
  const KernelState& state;
  const Dataset& data;
  Inputs& inputs;
  /// Per example: set to 1 for those whose self-kernels are beyond double precision. Sums with
  /// these are wrong.
  std::vector<std::uint8_t>& beyond;
};

/// Some examples with coefficients(o, k) of the k-th one, for output o.
struct Weighted {
  std::span<const std::uint32_t> examples;
  const Matrix<double>& coefficients;
};

/// A node of a kernel expression for sums of kernels between the examples of one data set.
class SumNode {
 public:
  virtual ~SumNode() = default;
  /// The examples that sums are computed for from now on.
  virtual void set_targets(std::span<const std::uint32_t> targets, const Context& context) = 0;
  /// Adds the sum over the weighted examples to values(i, o) for each target i.
  virtual void add(const Weighted& from, Matrix<double>& values, const Context& context) = 0;
};

std::unique_ptr<SumNode> make_sum_node(const FunctionNode& function, const SumInput& input,
                                       const Context& context);

/// The sums of whole examples, for kernels that are not sums over their parts.
std::unique_ptr<SumNode> make_example_sum(FunctionNode function, const SumInput& input);

}  // namespace espalier
