#include "model/data_kernels.hpp"

#include "espalier/gram/gram.hpp"
#include "gram/not_finite.hpp"
#include "model/same_trees.hpp"

namespace espalier {

namespace {

/// Measured on programs, whose kernels are the most expensive: see docs/performance-notes.md.
constexpr std::size_t many_outputs = 16;

}  // namespace

DataKernels::DataKernels(const FittedKernel& kernel, const Dataset& data, std::size_t outputs,
                         const Context& context)
    : kernel_(kernel), data_(data), first_(first_with_same_input(data)) {
  // The rest is for the solver.
  if (outputs >= many_outputs && PackedGram::bytes(data.size()) <= context.memory / 4 * 3) {
    packed_.emplace(kernel, data, context);
  } else {
    sums_.emplace(kernel, data, context);
  }
}

void DataKernels::gram(std::span<const std::uint32_t> examples, Matrix<float>& out,
                       const Context& context) {
  if (packed_) return packed_->select(examples, out, context);
  out.resize(examples.size(), examples.size());
  float* const values = out.data();
  try {
    // A data set of its own: the time must not depend on the size of the whole forest.
    gram_into<float>({&kernel_, 1}, data_.select(examples), nullptr, {&values, 1}, context);
  } catch (const KernelNotFinite& e) {
    throw KernelNotFinite(examples[e.a], examples[e.b], true);
  }
}

Matrix<double> DataKernels::sums(std::span<const std::uint32_t> examples,
                                 const Matrix<double>& coefficients,
                                 std::span<const std::uint32_t> targets, const Context& context) {
  if (packed_) return packed_->sums(examples, coefficients, targets, context);
  return (*sums_)(examples, coefficients, targets, context);
}

}  // namespace espalier
