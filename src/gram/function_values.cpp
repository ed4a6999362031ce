// Evaluating functions on new examples.

#include <algorithm>
#include <cmath>

#include "engine/dense_product.hpp"
#include "engine/inputs.hpp"
#include "espalier/gram/gram.hpp"
#include "gram/function_forest.hpp"
#include "gram/function_node.hpp"

namespace espalier {

namespace {

/// Evaluates the functions of one leaf for all rows, on threads, within the memory budget.
class LeafRun {
 public:
  /// The leaf has `outputs` columns; the functions may have more.
  LeafRun(const Leaf& leaf, std::size_t outputs, Matrix<double>& values, const Context& context)
      : leaf_(leaf),
        outputs_{0, outputs},
        values_(values),
        context_(context),
        workers_(thread_count(context)) {}

  void all() {
    // Each worker first reads the whole weighted forest: few pieces.
    const std::size_t rows = values_.rows();
    const std::size_t piece = std::max<std::size_t>(512, rows / (2 * workers_.size()) + 1);
    parallel((rows + piece - 1) / piece, context_,
             [&](std::size_t worker, std::size_t task) {
               if (!workers_[worker]) workers_[worker] = leaf_.worker();
               compute(*workers_[worker], {task * piece, std::min(rows, (task + 1) * piece)});
             },
             [](std::size_t) { return 1.0; });
  }

 private:
  void compute(LeafWorker& worker, Slice rows) {
    const std::size_t memory = context_.memory / workers_.size();
    if (rows.size() > 1 && worker.bytes(rows, outputs_, memory) > memory) {
      const std::size_t middle = rows.begin + rows.size() / 2;
      compute(worker, {rows.begin, middle});
      compute(worker, {middle, rows.end});
      return;
    }
    std::vector<double> block(rows.size() * outputs_.size());
    const BlockView<double> view{block.data(), outputs_.size()};
    worker.start(rows, outputs_);
    worker.rows(rows, {&view, 1});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        values_(rows.begin + i, o) += view.row(i)[o];
      }
    }
  }

  const Leaf& leaf_;
  Slice outputs_;
  Matrix<double>& values_;
  const Context& context_;
  std::vector<std::unique_ptr<LeafWorker>> workers_;
};

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
    const auto add_rows = [&](Slice examples, const Matrix<float>& rows) {
      std::vector<double> block(rows.rows() * outputs);
      dense_product(rows, weights, {block.data(), outputs});
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        for (std::size_t o = 0; o < outputs; ++o) {
          values(examples.begin + i, o) += block[i * outputs + o];
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
