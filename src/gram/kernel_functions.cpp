#include "espalier/gram/kernel_functions.hpp"

#include <cmath>

#include "gram/function_archive.hpp"

namespace espalier {

namespace {

struct Summarize {
  FunctionsSummary& out;

  void operator()(const FunctionNode& node) const { std::visit(*this, node.what); }
  void operator()(const SumFunction& sum) const {
    for (const FunctionNode& part : sum.parts) (*this)(part);
  }
  void operator()(const EachFunction& each) const {
    for (const FunctionNode& part : each.parts) (*this)(part);
  }
  void operator()(const NormFunction& norm) const { (*this)(norm.below[0]); }
  void operator()(const TreeFunction& function) const {
    out.subtrees += function.forest.vertex_count();
    for (const SparseWeights& weights : function.weights) out.weights += weights.ids.size();
  }
  void operator()(const VectorFunction& function) const {
    for (const SparseWeights& weights : function.weights) out.weights += weights.ids.size();
  }
  void operator()(const DenseFunction& function) const {
    for (const auto& weights : function.weights) out.weights += weights.size();
  }
  void operator()(const ConstantFunction&) const {}
  void operator()(const SupportFunction& support) const {
    out.support_vectors += support.examples.size();
  }
};

}  // namespace

KernelFunctions::KernelFunctions(FittedKernel kernel)
    : kernel_(std::move(kernel)),
      root_(std::make_shared<FunctionNode>(make_function(kernel_.root()))) {}

FunctionsSummary KernelFunctions::summary() const {
  FunctionsSummary out;
  Summarize{out}(*root_);
  return out;
}

void KernelFunctions::add(const Dataset& data, const Matrix<double>& coefficients,
                          const Context& context) {
  if (coefficients.columns() != data.size())
    throw Error("one coefficient for each example, please");
  if (coefficients.rows() < outputs_) throw Error("outputs cannot be taken away");
  Context quiet = context;
  quiet.progress = nullptr;
  // Work on a copy: strong exception guarantee.
  auto root = std::make_shared<FunctionNode>(*root_);
  try {
    add_examples(*root, kernel_.state, data, coefficients, quiet);
  } catch (const OutOfRange&) {
    // Weights would overflow. Only an empty function can switch to storing examples.
    if (outputs_ > 0) throw;
    *root = make_support_function(kernel_.root());
    add_examples(*root, kernel_.state, data, coefficients, quiet);
  }
  root_ = std::move(root);
  outputs_ = coefficients.rows();
}

std::vector<Contributions> KernelFunctions::contributions(const Dataset& data,
                                                          const Context& context) const {
  return take_apart(*root_, kernel_.state, data, outputs_, context);
}

Matrix<double> KernelFunctions::operator()(const Dataset& data, const Context& context) const {
  Matrix<double> values(data.size(), outputs_);
  std::fill_n(values.data(), data.size() * outputs_, 0.0);
  add_values(*root_, kernel_.state, data, values, context);
  for (std::size_t i = 0; i < values.rows(); ++i) {
    for (const double value : values.row(i)) {
      if (!std::isfinite(value)) {
        throw Error("the score of example " + std::to_string(i + 1) +
                    " is too large for double precision: train with norm(..) or a smaller decay");
      }
    }
  }
  return values;
}

std::string KernelFunctions::save() const {
  ArchiveWriter out;
  out(kernel_.to_string(), kernel_.state.weights, kernel_.state.words, *root_);
  return out.bytes();
}

KernelFunctions KernelFunctions::load(std::string_view bytes) {
  ArchiveReader in({bytes.data(), bytes.size()});
  std::string text;
  KernelState state;
  FunctionNode root;
  in(text, state.weights, state.words, root);
  if (!in.at_end()) throw Error("it is longer than it should be");
  KernelFunctions out(FittedKernel(Kernel(text), std::move(state)));
  out.outputs_ = output_count(root);
  out.root_ = std::make_shared<FunctionNode>(std::move(root));
  return out;
}

}  // namespace espalier
