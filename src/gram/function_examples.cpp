// Adding examples to functions: coefficients become weights.

#include <algorithm>
#include <cmath>

#include "engine/inputs.hpp"
#include "gram/function_node.hpp"
#include "gram/plan.hpp"
#include "gram/self_kernels.hpp"

namespace espalier {

namespace {

/// Accumulates sparse weights into a sorted list.
class WeightSum {
 public:
  explicit WeightSum(std::size_t ids) : sums_(ids, 0), seen_(ids, 0) {}

  void add(std::uint32_t id, double weight) {
    if (seen_[id] == 0) {
      seen_[id] = 1;
      ids_.push_back(id);
    }
    sums_[id] += weight;
  }
  /// The sum of the weights added since the last call.
  SparseWeights take() {
    std::ranges::sort(ids_);
    SparseWeights out;
    for (const std::uint32_t id : ids_) {
      if (sums_[id] != 0) {
        out.ids.push_back(id);
        out.weights.push_back(sums_[id]);
      }
      sums_[id] = 0;
      seen_[id] = 0;
    }
    ids_.clear();
    return out;
  }

 private:
  std::vector<double> sums_;
  std::vector<std::uint8_t> seen_;
  std::vector<std::uint32_t> ids_;
};

/// The coefficients at one node, and their context.
class Adder {
 public:
  Adder(const KernelState& state, const Dataset& data, const Context& context)
      : state_(state), data_(data), context_(context) {}

  void add(FunctionNode& node, const Matrix<double>& coefficients) {
    std::visit([&](auto& function) { add(function, coefficients); }, node.what);
  }

 private:
  Side side(const Sides& sides) const { return {&data_, sides.column_member, sides.tree}; }

  void add(ConstantFunction& constant, const Matrix<double>& coefficients) {
    constant.sums.resize(coefficients.rows(), 0);
    for (std::size_t o = 0; o < coefficients.rows(); ++o) {
      for (const double c : coefficients.row(o)) constant.sums[o] += c * constant.value;
    }
  }

  void add(SumFunction& sum, const Matrix<double>& coefficients) {
    const Matrix<double> scaled = times(coefficients, [&](std::size_t) { return sum.factor; });
    for (FunctionNode& part : sum.parts) add(part, scaled);
  }

  void add(EachFunction& each, const Matrix<double>& coefficients) {
    for (const std::string& name : Inputs::tree_names(side(each.sides))) {
      auto found = std::ranges::find(each.names, name);
      if (found == each.names.end()) {
        each.names.push_back(name);
        Sides sides = each.sides;
        sides.tree = name;
        each.parts.push_back(make_function(each.kernel, sides));
        found = each.names.end() - 1;
      }
      add(each.parts[static_cast<std::size_t>(found - each.names.begin())], coefficients);
    }
  }

  void add(NormFunction& norm, const Matrix<double>& coefficients) {
    const std::vector<double> lengths =
        self_kernel_roots(norm.kernel, state_, side(norm.sides), context_);
    add(norm.below[0],
        times(coefficients, [&](std::size_t i) { return lengths[i] > 0 ? 1 / lengths[i] : 0; }));
  }

  void add(TreeFunction& function, const Matrix<double>& coefficients) {
    const Side trees = side(function.sides);
    const auto names = Inputs::tree_names(trees, function.kernel, function.all_trees);
    const TreeInput input = inputs_.trees(trees, trees, {names, names}, function.forest.options());
    const std::vector<VertexId> vertices = needed(*input.rows, coefficients);
    const bool all = vertices.size() == input.forest->vertex_count();
    const std::vector<VertexId> there = all ? function.forest.add_vertices(*input.forest)
                                            : function.forest.add(input.forest->list(vertices));
    std::vector<VertexId> place(input.forest->vertex_count(), none);
    for (std::size_t k = 0; k < vertices.size(); ++k) place[vertices[k]] = there[k];
    add_weights(function.weights, function.forest.vertex_count(), coefficients,
                [&](std::size_t i, double coefficient, WeightSum& sum) {
                  add(function, (*input.rows)[i], place, coefficient, sum);
                });
  }

  static void add(const TreeFunction& function, const Bag& bag, const std::vector<VertexId>& place,
                  double coefficient, WeightSum& sum) {
    const TreeKernel& kernel = tree_kernel(function.kernel);
    for (std::size_t k = 0; k < bag.size(); ++k) {
      const double value = kernel.feature(function.kernel, bag.count(k));
      sum.add(place[bag.vertex(k)], coefficient * value);
    }
  }

  /// Calls add_one(example, coefficient, sum) for each coefficient of each output, and adds the
  /// sums to the weights; ids are less than `ids`.
  template <class AddOne>
  static void add_weights(std::vector<SparseWeights>& all, std::size_t ids,
                          const Matrix<double>& coefficients, AddOne&& add_one) {
    WeightSum sum(ids);
    all.resize(coefficients.rows());
    for (std::size_t o = 0; o < coefficients.rows(); ++o) {
      for (std::size_t k = 0; k < all[o].ids.size(); ++k) sum.add(all[o].ids[k], all[o].weights[k]);
      for (std::size_t i = 0; i < coefficients.columns(); ++i) {
        if (coefficients(o, i) != 0) add_one(i, coefficients(o, i), sum);
      }
      all[o] = sum.take();
    }
  }

  /// The vertices of all examples with a coefficient, ascending.
  static std::vector<VertexId> needed(const Bags& bags, const Matrix<double>& coefficients) {
    std::vector<std::uint8_t> marks(bags.forest().vertex_count(), 0);
    for (std::size_t i = 0; i < coefficients.columns(); ++i) {
      if (!counts(coefficients, i)) continue;
      for (const Occurrence& o : bags[i].occurrences) marks[o.vertex] = 1;
    }
    std::vector<VertexId> out;
    for (VertexId v = 0; v < marks.size(); ++v) {
      if (marks[v] != 0) out.push_back(v);
    }
    return out;
  }

  static bool counts(const Matrix<double>& coefficients, std::size_t i) {
    for (std::size_t o = 0; o < coefficients.rows(); ++o) {
      if (coefficients(o, i) != 0) return true;
    }
    return false;
  }

  void add(VectorFunction& function, const Matrix<double>& coefficients) {
    const VectorColumn& column = vector_column(side(function.sides), function.vector);
    if (function.weights.empty()) {
      function.dense = column.dense;
      function.dimension = column.dimension;
    }
    check_kind(function, column);
    const SparseMatrix features = make_features(column, [&](LabelId id) {
      return function.features.intern(column.feature_names.text(id));
    });
    const std::size_t ids = column.dense ? column.dimension : function.features.size();
    add_weights(function.weights, ids, coefficients,
                [&](std::size_t i, double coefficient, WeightSum& sum) {
                  const auto [columns, values] = features.row(i);
                  for (std::size_t k = 0; k < values.size(); ++k) {
                    sum.add(columns[k], coefficient * values[k]);
                  }
                });
  }

  void add(DenseFunction& function, const Matrix<double>& coefficients) {
    function.weights.resize(coefficients.rows(), std::vector<double>(function.dim(), 0));
    const auto add_rows = [&](Slice examples, const ScaledRows& rows) {
      for (std::size_t o = 0; o < coefficients.rows(); ++o) {
        for (std::size_t i = 0; i < examples.size(); ++i) {
          const double coefficient = coefficients(o, examples.begin + i);
          if (coefficient == 0) continue;
          add_row(rows.values.row(i), rows.scale(i) * coefficient, function.weights[o]);
        }
      }
    };
    function.vectors_of(side(function.sides))->for_all(context_, add_rows);
  }

  static void add_row(std::span<const float> row, double coefficient,
                      std::vector<double>& weights) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      weights[k] += coefficient * static_cast<double>(row[k]);
    }
  }

  void add(SupportFunction& support, const Matrix<double>& coefficients) {
    const std::size_t before = support.examples.size();
    if (before == 0) support.examples = data_.select({});
    for (std::size_t i = 0; i < coefficients.columns(); ++i) {
      if (counts(coefficients, i)) support.examples.add(kernel_input(data_.example(i)));
    }
    support.coefficients.resize(coefficients.rows(), std::vector<double>(before, 0));
    for (std::size_t o = 0; o < coefficients.rows(); ++o) {
      for (std::size_t i = 0; i < coefficients.columns(); ++i) {
        if (counts(coefficients, i)) support.coefficients[o].push_back(coefficients(o, i));
      }
    }
  }

  /// Each coefficient times the counts of its example.
  template <class Factor>
  static Matrix<double> times(const Matrix<double>& coefficients, Factor&& factor) {
    Matrix<double> out(coefficients.rows(), coefficients.columns());
    for (std::size_t i = 0; i < out.columns(); ++i) {
      const double f = factor(i);
      for (std::size_t o = 0; o < out.rows(); ++o) out(o, i) = coefficients(o, i) * f;
    }
    return out;
  }

  const KernelState& state_;
  const Dataset& data_;
  const Context& context_;
  Inputs inputs_;
};

}  // namespace

void check_kind(const VectorFunction& function, const VectorColumn& column) {
  if (column.dense != function.dense || column.dimension != function.dimension) {
    throw Error("the vectors named " + in_quotes(column.slot.name) +
                " differ in kind or dimension from those that were learned from");
  }
}

SideLengths self_kernels(const KernelNode& kernel, const KernelState& state, const Side& side,
                         const Context& context) {
  Inputs inputs;
  const KernelNode* node = &kernel;
  const Plan plan = make_plan({&node, 1}, state, side, side, inputs, context);
  auto lengths = norm_lengths(plan, plan, side.data->size(), side.data->size(), 1, context);
  return std::move(lengths[0].rows);
}

std::vector<double> self_kernel_roots(const KernelNode& kernel, const KernelState& state,
                                      const Side& side, const Context& context) {
  SideLengths lengths = self_kernels(kernel, state, side, context);
  if (!lengths.magnitudes.empty()) {
    throw OutOfRange("an example has a kernel with itself that is beyond double precision");
  }
  return std::move(lengths.roots);
}

void add_examples(FunctionNode& node, const KernelState& state, const Dataset& data,
                  const Matrix<double>& coefficients, const Context& context) {
  Adder(state, data, context).add(node, coefficients);
}

}  // namespace espalier
