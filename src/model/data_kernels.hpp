#pragma once

#include <optional>
#include <vector>

#include "espalier/learn/working_set.hpp"
#include "gram/kernel_sums.hpp"
#include "gram/packed_gram.hpp"

namespace espalier {

/// The kernels of a data set. Examples with the same trees are equal.
///
/// A sum of kernels costs the weighted forest one step for each output and pair of equal subtrees.
/// For many outputs it is cheaper to compute the kernels, and to multiply matrices. So the lower
/// triangle of the Gram matrix is kept in memory then, if it fits.
class DataKernels final : public KernelSource {
 public:
  /// Refers to kernel and data. `outputs` is how many functions there will be sums of.
  DataKernels(const FittedKernel& kernel, const Dataset& data, std::size_t outputs,
              const Context& context);

  /// The bytes that this takes of Context::memory.
  std::size_t bytes() const { return packed_ ? PackedGram::bytes(data_.size()) : 0; }

  std::size_t size() const override { return data_.size(); }
  std::uint32_t representative(std::uint32_t example) const override { return first_[example]; }
  void gram(std::span<const std::uint32_t> examples, Matrix<float>& out,
            const Context& context) override;
  Matrix<double> sums(std::span<const std::uint32_t> examples, const Matrix<double>& coefficients,
                      std::span<const std::uint32_t> targets, const Context& context) override;

 private:
  const FittedKernel& kernel_;
  const Dataset& data_;
  std::optional<PackedGram> packed_;
  std::optional<KernelSums> sums_;    ///< unless that is there
  std::vector<std::uint32_t> first_;  ///< per example: the first one that is equal
};

}  // namespace espalier
