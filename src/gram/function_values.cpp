// Evaluating functions on new examples.

#include <algorithm>
#include <cmath>

#include "engine/dense_product.hpp"
#include "engine/inputs.hpp"
#include "espalier/gram/gram.hpp"
#include "gram/function_forest.hpp"
#include "gram/function_node.hpp"
#include "gram/leaf_run.hpp"

namespace espalier {

namespace {

class Evaluator {
 public:
  Evaluator(const KernelState& state, const Dataset& data, const Context& context)
      : state_(state), data_(data), context_(context) {}

  void add(const FunctionNode& node, Matrix<double>& values) {
    std::visit([&](const auto& function) { add(function, values); }, node.what);
  }

 private:
  Side side(const Sides& sides) const { return {&data_, sides.row_member, sides.tree}; }

  void add(const ConstantFunction& constant, Matrix<double>& values) {
    for (std::size_t i = 0; i < values.rows(); ++i) {
      for (std::size_t o = 0; o < constant.sums.size(); ++o) values(i, o) += constant.sums[o];
    }
  }

  void add(const SumFunction& sum, Matrix<double>& values) {
    for (const FunctionNode& part : sum.parts) add(part, values);
  }

  void add(const EachFunction& each, Matrix<double>& values) {
    const auto names = Inputs::tree_names(side(each.sides));
    for (std::size_t n = 0; n < each.names.size(); ++n) {
      if (std::ranges::find(names, each.names[n]) != names.end()) add(each.parts[n], values);
    }
  }

  void add(const NormFunction& norm, Matrix<double>& values) {
    const std::vector<double> lengths =
        self_kernel_roots(norm.kernel, state_, side(norm.sides), context_);
    Matrix<double> below(values.rows(), values.columns());
    std::fill_n(below.data(), below.rows() * below.columns(), 0.0);
    add(norm.below[0], below);
    for (std::size_t i = 0; i < values.rows(); ++i) {
      if (lengths[i] == 0) continue;
      for (std::size_t o = 0; o < values.columns(); ++o) values(i, o) += below(i, o) / lengths[i];
    }
  }

  void add(const TreeFunction& function, Matrix<double>& values) {
    const FunctionForest forest(function, state_, side(function.sides));
    const auto rows = forest.examples();
    LeafRun(forest.leaf(*rows, context_), function.weights.size(), values, context_).all();
  }

  void add(const VectorFunction& function, Matrix<double>& values) {
    const VectorColumn& column = vector_column(side(function.sides), function.vector);
    check_kind(function, column);
    LabelTable numbers = function.features;
    SparseMatrix rows = make_features(
        column, [&](LabelId id) { return numbers.intern(column.feature_names.text(id)); });
    SparseMatrix outputs(column.dense ? column.dimension : numbers.size());
    for (const SparseWeights& weights : function.weights) {
      outputs.add_row(weights.ids, weights.weights);
    }
    const Leaf leaf = make_vector_leaf(std::move(rows), std::move(outputs),
                                       {VectorKernelNode{function.vector, LinearOptions()}});
    LeafRun(leaf, function.weights.size(), values, context_).all();
  }

  void add(const DenseFunction& function, Matrix<double>& values) {
    const std::size_t outputs = function.weights.size();
    Matrix<double> weights(outputs, function.dim());
    for (std::size_t o = 0; o < outputs; ++o) {
      std::ranges::copy(function.weights[o], weights.row(o).begin());
    }
    const auto add_rows = [&](Slice examples, const ScaledRows& rows) {
      std::vector<double> block(examples.size() * outputs);
      dense_product(rows.values, weights, {block.data(), outputs});
      for (std::size_t i = 0; i < examples.size(); ++i) {
        for (std::size_t o = 0; o < outputs; ++o) {
          values(examples.begin + i, o) += rows.scale(i) * block[i * outputs + o];
        }
      }
    };
    function.vectors_of(side(function.sides))->for_all(context_, add_rows);
  }

  void add(const SupportFunction& support, Matrix<double>& values) {
    if (support.examples.size() == 0 || data_.size() == 0) return;
    const Matrix<double> kernels = gram<double>(FittedKernel(Kernel(support.kernel), state_), data_,
                                                support.examples, context_);
    for (std::size_t i = 0; i < values.rows(); ++i) {
      const auto row = kernels.row(i);
      for (std::size_t o = 0; o < support.coefficients.size(); ++o) {
        const auto& coefficients = support.coefficients[o];
        for (std::size_t k = 0; k < row.size(); ++k) values(i, o) += coefficients[k] * row[k];
      }
    }
  }

  const KernelState& state_;
  const Dataset& data_;
  const Context& context_;
};

}  // namespace

void add_values(const FunctionNode& node, const KernelState& state, const Dataset& data,
                Matrix<double>& values, const Context& context) {
  Evaluator(state, data, context).add(node, values);
}

}  // namespace espalier
