#include "gram/kernel_sums.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/gram/gram.hpp"
#include "gram/sum_node.hpp"

namespace espalier {

namespace {

/// Their kernels with all examples are kept, unless they take more than this part of the memory.
constexpr std::size_t part_for_beyond = 8;

}  // namespace

KernelSums::KernelSums(const FittedKernel& kernel, const Dataset& data, const Context& context) {
  Context quiet = context;
  quiet.progress = nullptr;
  std::vector<std::uint8_t> beyond(data.size(), 0);
  Inputs inputs;
  const SumInput input{kernel.state, data, inputs, beyond};
  root_ = make_sum_node(make_function(kernel.root()), input, quiet);
  for (std::uint32_t i = 0; i < beyond.size(); ++i) {
    if (beyond[i] != 0) beyond_.push_back(i);
  }
  if (beyond_.empty()) return;
  if (sizeof(double) * beyond_.size() * data.size() > context.memory / part_for_beyond) {
    beyond_.clear();
    root_ = make_example_sum(make_support_function(kernel.root()), input);
    return;
  }
  row_of_beyond_.assign(data.size(), none);
  for (std::uint32_t k = 0; k < beyond_.size(); ++k) row_of_beyond_[beyond_[k]] = k;
  kernels_of_beyond_ = gram<double>(kernel, data.view(beyond_), data, quiet);
}

KernelSums::~KernelSums() = default;

void KernelSums::add(std::span<const std::uint32_t> examples, const Matrix<double>& coefficients,
                     Matrix<double>& out, const Context& context) {
  if (beyond_.empty()) return root_->add({examples, coefficients}, out, context);
  Matrix<double> others(coefficients.rows(), examples.size());
  for (std::size_t o = 0; o < others.rows(); ++o) {
    for (std::size_t k = 0; k < examples.size(); ++k) {
      others(o, k) = row_of_beyond_[examples[k]] == none ? coefficients(o, k) : 0;
    }
  }
  root_->add({examples, others}, out, context);
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const std::uint32_t target = row_of_beyond_[targets_[i]];
    if (target != none) std::ranges::fill(out.row(i), 0.0);
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const std::uint32_t example = row_of_beyond_[examples[k]];
      if (target == none && example == none) continue;
      const double kernel = target != none ? kernels_of_beyond_(target, examples[k])
                                           : kernels_of_beyond_(example, targets_[i]);
      for (std::size_t o = 0; o < out.columns(); ++o) out(i, o) += coefficients(o, k) * kernel;
    }
  }
}

Matrix<double> KernelSums::operator()(std::span<const std::uint32_t> examples,
                                      const Matrix<double>& coefficients,
                                      std::span<const std::uint32_t> targets,
                                      const Context& context) {
  if (!std::ranges::equal(targets_, targets)) {
    targets_.clear();
    root_->set_targets(targets, context);
    targets_.assign(targets.begin(), targets.end());
  }
  Matrix<double> out(targets.size(), coefficients.rows());
  std::fill_n(out.data(), out.rows() * out.columns(), 0.0);
  if (targets.empty()) return out;
  add(examples, coefficients, out, context);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (const double value : out.row(i)) {
      if (std::isfinite(value)) continue;
      throw Error("a sum of kernels of example " + std::to_string(targets[i] + 1) +
                  " is too large for double precision: use norm(..) or a smaller decay");
    }
  }
  return out;
}

}  // namespace espalier
