#include "gram/sum_node.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "gram/leaf_run.hpp"

namespace espalier {

namespace {

Matrix<double> zeros(std::size_t rows, std::size_t columns) {
  Matrix<double> out(rows, columns);
  std::fill_n(out.data(), rows * columns, 0.0);
  return out;
}

/// Each coefficient times the factor of its example.
template <class Factor>
Matrix<double> scaled(const Weighted& from, Factor&& factor) {
  const Matrix<double>& coefficients = from.coefficients;
  Matrix<double> out(coefficients.rows(), coefficients.columns());
  for (std::size_t k = 0; k < out.columns(); ++k) {
    const double by = factor(from.examples[k]);
    for (std::size_t o = 0; o < out.rows(); ++o) out(o, k) = coefficients(o, k) * by;
  }
  return out;
}

/// A tree kernel. The weighted examples are one weighted bag of subtrees per output, in the forest
/// of the data.
class TreeSum final : public SumNode {
 public:
  TreeSum(const TreeFunction& function, const SumInput& input)
      : kernel_(function.kernel), state_(input.state) {
    const Side rows{&input.data, function.sides.row_member, function.sides.tree};
    const Side columns{&input.data, function.sides.column_member, function.sides.tree};
    const auto names = [&](const Side& side) {
      return Inputs::tree_names(side, kernel_, function.all_trees);
    };
    trees_ =
        input.inputs.trees(rows, columns, {names(rows), names(columns)}, function.forest.options());
    sums_.assign(trees_.forest->vertex_count(), 0);
  }

  void set_targets(std::span<const std::uint32_t> targets, const Context& context) override {
    prepared_.reset();
    rows_.emplace(trees_.rows->select(targets));
    const auto prepare = tree_kernel(kernel_).prepare_rows;
    if (prepare != nullptr) prepared_ = prepare(*rows_, kernel_, thread_count(context));
  }

  void add(const Weighted& from, Matrix<double>& values, const Context& context) override {
    std::vector<SparseWeights> weights;
    for (std::size_t o = 0; o < from.coefficients.rows(); ++o) {
      weights.push_back(weights_of(from.examples, from.coefficients.row(o)));
    }
    Bags outputs(*trees_.forest);
    for (const SparseWeights& of_output : weights) outputs.add(of_output);
    TreeLeafInput input{*rows_, outputs, state_};
    input.prepared_rows = prepared_;
    input.memory = context.memory / thread_count(context);
    const Leaf leaf = tree_kernel(kernel_).bags_leaf(input, {&kernel_, 1});
    LeafRun(leaf, weights.size(), values, context).all();
  }

 private:
  SparseWeights weights_of(std::span<const std::uint32_t> examples,
                           std::span<const double> coefficients) {
    const TreeKernel& kernel = tree_kernel(kernel_);
    SparseWeights out;
    for (std::size_t k = 0; k < examples.size(); ++k) {
      if (coefficients[k] == 0) continue;
      const Bag& bag = trees_.columns()[examples[k]];
      for (std::size_t j = 0; j < bag.size(); ++j) {
        double& sum = sums_[bag.vertex(j)];
        // A vertex whose weights cancel may be listed twice.
        if (sum == 0) out.ids.push_back(bag.vertex(j));
        sum += coefficients[k] * kernel.feature(kernel_, bag.count(j));
      }
    }
    std::ranges::sort(out.ids);
    out.ids.erase(std::unique(out.ids.begin(), out.ids.end()), out.ids.end());
    std::erase_if(out.ids, [&](VertexId v) { return sums_[v] == 0; });
    for (const VertexId v : out.ids) out.weights.push_back(std::exchange(sums_[v], 0));
    return out;
  }

  TreeKernelNode kernel_;
  const KernelState& state_;
  TreeInput trees_;
  std::vector<double> sums_;  ///< per vertex; 0 between uses
  std::optional<Bags> rows_;
  Prepared prepared_;
};

class NormSum final : public SumNode {
 public:
  NormSum(const NormFunction& function, const SumInput& input, const Context& context)
      : below_(make_sum_node(function.below[0], input, context)) {
    const auto lengths = [&](const std::string& member) {
      SideLengths all = self_kernels(function.kernel, input.state,
                                     {&input.data, member, function.sides.tree}, context);
      for (std::size_t i = 0; i < all.magnitudes.size(); ++i) {
        if (all.magnitudes[i] == Magnitude::ordinary) continue;
        input.beyond[i] = 1;
        all.roots[i] = 0;
      }
      return std::move(all.roots);
    };
    rows_ = lengths(function.sides.row_member);
    columns_ = function.sides.row_member == function.sides.column_member
                   ? rows_
                   : lengths(function.sides.column_member);
  }

  void set_targets(std::span<const std::uint32_t> targets, const Context& context) override {
    targets_.assign(targets.begin(), targets.end());
    below_->set_targets(targets, context);
  }

  void add(const Weighted& from, Matrix<double>& values, const Context& context) override {
    const Matrix<double> coefficients = scaled(from, [&](std::uint32_t example) {
      return columns_[example] > 0 ? 1 / columns_[example] : 0;
    });
    Matrix<double> below = zeros(values.rows(), values.columns());
    below_->add({from.examples, coefficients}, below, context);
    for (std::size_t i = 0; i < values.rows(); ++i) {
      const double length = rows_[targets_[i]];
      if (length == 0) continue;
      for (std::size_t o = 0; o < values.columns(); ++o) values(i, o) += below(i, o) / length;
    }
  }

 private:
  std::unique_ptr<SumNode> below_;
  std::vector<double> rows_;  ///< lengths
  std::vector<double> columns_;
  std::vector<std::uint32_t> targets_;
};

/// A factor times the sum of the parts.
class PartsSum final : public SumNode {
 public:
  explicit PartsSum(double factor) : factor_(factor) {}
  void add_part(std::unique_ptr<SumNode> part) { parts_.push_back(std::move(part)); }

  void set_targets(std::span<const std::uint32_t> targets, const Context& context) override {
    for (const auto& part : parts_) part->set_targets(targets, context);
  }
  void add(const Weighted& from, Matrix<double>& values, const Context& context) override {
    const Matrix<double> coefficients = scaled(from, [&](std::uint32_t) { return factor_; });
    for (const auto& part : parts_) part->add({from.examples, coefficients}, values, context);
  }

 private:
  double factor_;
  std::vector<std::unique_ptr<SumNode>> parts_;
};

/// The functions of prediction, built anew for each sum.
class ExampleSum final : public SumNode {
 public:
  ExampleSum(FunctionNode function, const SumInput& input)
      : function_(std::move(function)), state_(input.state), data_(input.data) {}

  void set_targets(std::span<const std::uint32_t> targets, const Context&) override {
    targets_.assign(targets.begin(), targets.end());
  }
  void add(const Weighted& from, Matrix<double>& values, const Context& context) override {
    FunctionNode function = function_;
    add_examples(function, state_, data_.view(from.examples), from.coefficients, context);
    const std::size_t together = at_a_time(from.examples.size(), context);
    for (std::size_t begin = 0; begin < targets_.size(); begin += together) {
      const std::size_t count = std::min(together, targets_.size() - begin);
      Matrix<double> part = zeros(count, values.columns());
      add_values(function, state_, data_.view(std::span(targets_).subspan(begin, count)), part,
                 context);
      for (std::size_t i = 0; i < count; ++i) {
        std::ranges::transform(part.row(i), values.row(begin + i), values.row(begin + i).begin(),
                               std::plus());
      }
    }
  }

 private:
  /// Whole examples need their kernels with all targets, which must fit the memory.
  std::size_t at_a_time(std::size_t examples, const Context& context) const {
    if (!std::holds_alternative<SupportFunction>(function_.what)) return targets_.size();
    return std::max<std::size_t>(1, context.memory / 4 / (sizeof(double) * (examples + 1)));
  }

  FunctionNode function_;
  const KernelState& state_;
  const Dataset& data_;
  std::vector<std::uint32_t> targets_;
};

struct MakeSum {
  const SumInput& input;
  const Context& context;

  std::unique_ptr<SumNode> operator()(const TreeFunction& function) const {
    return std::make_unique<TreeSum>(function, input);
  }
  std::unique_ptr<SumNode> operator()(const NormFunction& function) const {
    return std::make_unique<NormSum>(function, input, context);
  }
  std::unique_ptr<SumNode> operator()(const SumFunction& function) const {
    auto out = std::make_unique<PartsSum>(function.factor);
    for (const FunctionNode& part : function.parts) {
      out->add_part(make_sum_node(part, input, context));
    }
    return out;
  }
  std::unique_ptr<SumNode> operator()(const EachFunction& function) const {
    auto out = std::make_unique<PartsSum>(1);
    const Side side{&input.data, function.sides.row_member, function.sides.tree};
    for (const std::string& name : Inputs::tree_names(side)) {
      Sides sides = function.sides;
      sides.tree = name;
      out->add_part(make_sum_node(make_function(function.kernel, sides), input, context));
    }
    return out;
  }
  template <class Function>
  std::unique_ptr<SumNode> operator()(const Function& function) const {
    return make_example_sum({function}, input);
  }
};

}  // namespace

std::unique_ptr<SumNode> make_sum_node(const FunctionNode& function, const SumInput& input,
                                       const Context& context) {
  return std::visit(MakeSum{input, context}, function.what);
}

std::unique_ptr<SumNode> make_example_sum(FunctionNode function, const SumInput& input) {
  return std::make_unique<ExampleSum>(std::move(function), input);
}

}  // namespace espalier
