#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

class SumNode;

/// Sums of kernels between the examples of one data set: KernelFunctions for functions that are
/// used once. What depends on the data set alone (distinct subtrees, norms, the index of the rows)
/// is prepared once and shared by all calls.
class KernelSums {
 public:
  /// Refers to kernel and data.
  KernelSums(const FittedKernel& kernel, const Dataset& data, const Context& context);
  ~KernelSums();
  KernelSums(const KernelSums&) = delete;
  KernelSums& operator=(const KernelSums&) = delete;

  /// For each target (row) and output o (column), the sum over k of coefficients(o, k) times the
  /// kernel of examples[k] and the target. Cheaper if the targets are those of the last call.
  /// Throws Error if a sum is not finite.
  Matrix<double> operator()(std::span<const std::uint32_t> examples,
                            const Matrix<double>& coefficients,
                            std::span<const std::uint32_t> targets, const Context& context);

 private:
  void add(std::span<const std::uint32_t> examples, const Matrix<double>& coefficients,
           Matrix<double>& out, const Context& context);

  std::unique_ptr<SumNode> root_;
  std::vector<std::uint32_t> targets_;  ///< of the last call

  // Examples whose self-kernels are beyond double precision, below a norm:
  std::vector<std::uint32_t> beyond_;
  std::vector<std::uint32_t> row_of_beyond_;  ///< per example, or none
  Matrix<double> kernels_of_beyond_;          ///< with all examples
};

}  // namespace espalier
