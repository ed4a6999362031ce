#include "espalier/gram/kernel_functions.hpp"

#include <cmath>

#include "espalier/gram/word_vectors.hpp"
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

KernelFunctions::KernelFunctions(Kernel kernel)
    : kernel_(std::move(kernel)),
      root_(std::make_unique<FunctionNode>(make_function(kernel_.root()))) {}
KernelFunctions::~KernelFunctions() = default;
KernelFunctions::KernelFunctions(const KernelFunctions& other)
    : kernel_(other.kernel_),
      outputs_(other.outputs_),
      root_(std::make_unique<FunctionNode>(*other.root_)) {}
KernelFunctions::KernelFunctions(KernelFunctions&&) noexcept = default;
KernelFunctions& KernelFunctions::operator=(KernelFunctions other) noexcept {
  kernel_ = std::move(other.kernel_);
  outputs_ = other.outputs_;
  root_ = std::move(other.root_);
  return *this;
}

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
  const Kernel kernel = with_word_vectors(kernel_, {&data});
  // Work on a copy: strong exception guarantee.
  auto root = std::make_unique<FunctionNode>(*root_);
  const WordFiles words = word_files(kernel.root());
  for_each_kernel(*root, [&](KernelNode& node) { set_word_files(node, words); });
  try {
    add_examples(*root, data, coefficients, quiet);
  } catch (const OutOfRange&) {
    // Weights would overflow. Only an empty function can switch to storing examples.
    if (outputs_ > 0) throw;
    *root = make_support_function(kernel.root());
    add_examples(*root, data, coefficients, quiet);
  }
  kernel_ = kernel;
  root_ = std::move(root);
  outputs_ = coefficients.rows();
}

const FunctionNode& KernelFunctions::root_for(const Dataset& data,
                                              std::unique_ptr<FunctionNode>& scratch) const {
  const Kernel kernel = with_word_vectors(kernel_, {&data});
  if (kernel == kernel_) return *root_;
  scratch = std::make_unique<FunctionNode>(*root_);
  const WordFiles words = word_files(kernel.root());
  for_each_kernel(*scratch, [&](KernelNode& node) { set_word_files(node, words); });
  return *scratch;
}

Contributions KernelFunctions::contributions(const Dataset& data, const Context& context) const {
  if (data.size() != 1) throw Error("one example at a time is taken apart");
  std::unique_ptr<FunctionNode> scratch;
  return take_apart(root_for(data, scratch), data, outputs_, context);
}

Matrix<double> KernelFunctions::operator()(const Dataset& data, const Context& context) const {
  Matrix<double> values(data.size(), outputs_);
  std::fill_n(values.data(), data.size() * outputs_, 0.0);
  std::unique_ptr<FunctionNode> scratch;
  add_values(root_for(data, scratch), data, values, context);
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
  out(kernel_.to_string(), learned_weights(kernel_.root()), word_files(kernel_.root()), *root_);
  return out.bytes();
}

KernelFunctions KernelFunctions::load(std::string_view bytes) {
  ArchiveReader in({bytes.data(), bytes.size()});
  std::string text;
  LearnedWeights learned;
  WordFiles words;
  in(text, learned, words);
  const auto complete = [&](KernelNode& node) {
    set_learned_weights(node, learned);
    set_word_files(node, words);
  };
  KernelNode kernel = Kernel(text).root();
  complete(kernel);
  KernelFunctions out{Kernel(kernel)};
  in(*out.root_);
  for_each_kernel(*out.root_, complete);
  if (!in.at_end()) throw Error("it is longer than it should be");
  out.outputs_ = output_count(*out.root_);
  return out;
}

}  // namespace espalier
