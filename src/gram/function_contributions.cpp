// Decomposition of function values: the contribution of each distinct subtree of each example.

#include <algorithm>

#include "engine/row_memory.hpp"
#include "gram/function_forest.hpp"
#include "gram/function_node.hpp"
#include "gram/leaf_run.hpp"

namespace espalier {

namespace {

/// The factor of a node for each example; 0 if the node does not contribute.
using Scales = std::vector<double>;

/// A row for each distinct subtree of each example, as an example of its own: the subtree without
/// its descendants, which have earlier rows.
struct SubtreeRows {
  /// vertex(v): the vertex in `forest` of a subtree v in the data.
  template <class Vertex>
  SubtreeRows(const Dataset& data, const TreeColumn& column, const Forest& forest, Vertex&& vertex)
      : bags(forest) {
    const Forest& all = data.forests()[column.forest].value;
    for (const TreeId tree : column.trees) {
      if (tree != none) {
        for (const Occurrence& o : all.occurrences(tree))
          alone.push_back({{vertex(o.vertex)}, {1.0}});
      }
      begin.push_back(alone.size());
    }
    for (const SparseWeights& subtree : alone) bags.add(subtree);
  }

  std::vector<SparseWeights> alone;
  Bags bags;                             ///< refers to `alone`
  std::vector<std::size_t> begin = {0};  ///< per example: its first row
};

class Contributor {
 public:
  Contributor(const KernelState& state, const Dataset& data, std::size_t outputs,
              const Context& context)
      : state_(state), data_(data), outputs_(outputs), context_(context), out_(data.size()) {}

  /// Adds the contributions of a node, times the scale of each example.
  void add(const FunctionNode& node, const Scales& scales) {
    if (const auto* sum = std::get_if<SumFunction>(&node.what)) {
      for (const FunctionNode& part : sum->parts) add(part, scales);
    } else if (const auto* norm = std::get_if<NormFunction>(&node.what)) {
      add(norm->below[0], normalised(*norm, scales));
    } else if (const auto* each = std::get_if<EachFunction>(&node.what)) {
      const auto names = Inputs::tree_names(side(each->sides));
      for (std::size_t n = 0; n < each->names.size(); ++n) {
        if (std::ranges::find(names, each->names[n]) != names.end()) add(each->parts[n], scales);
      }
    } else if (const auto* trees = std::get_if<TreeFunction>(&node.what)) {
      add_trees(*trees, scales);
    } else {
      add_rest(node, scales);
    }
  }
  std::vector<Contributions> result() && { return std::move(out_); }

 private:
  Side side(const Sides& sides) const { return {&data_, sides.row_member, sides.tree}; }

  Scales normalised(const NormFunction& norm, Scales scales) const {
    const auto lengths = self_kernel_roots(norm.kernel, state_, side(norm.sides), context_);
    for (std::size_t i = 0; i < scales.size(); ++i) {
      scales[i] = lengths[i] > 0 ? scales[i] / lengths[i] : 0;
    }
    return scales;
  }

  void add_trees(const TreeFunction& function, const Scales& scales) {
    const Side trees = side(function.sides);
    const FunctionForest forest(function, state_, trees);
    for (std::size_t n = 0; n < forest.names().size(); ++n) {
      const Slot slot{trees.member, forest.names()[n]};
      const auto column = std::ranges::find(data_.trees(), slot, &TreeColumn::slot);
      if (column == data_.trees().end()) continue;
      const auto vertex = [&](VertexId v) { return forest.vertex(n, v); };
      const SubtreeRows rows(data_, *column, forest.forest(), vertex);
      const Matrix<double> values = values_of(function, forest, rows);
      for (std::size_t i = 0; i < data_.size(); ++i) {
        if (column->trees[i] == none || scales[i] == 0) continue;
        TreeContributions& part = part_for(i, *column);
        for (std::size_t k = 0; k < part.vertices.size(); ++k) {
          const auto row = values.row(rows.begin[i] + k);
          for (std::size_t o = 0; o < row.size(); ++o) part.values(k, o) += scales[i] * row[o];
        }
      }
    }
  }

  Matrix<double> values_of(const TreeFunction& function, const FunctionForest& forest,
                           const SubtreeRows& rows) const {
    Matrix<double> out(rows.bags.size(), function.weights.size());
    std::fill_n(out.data(), out.rows() * out.columns(), 0.0);
    try {
      const Leaf leaf = forest.leaf(rows.bags, context_);
      LeafRun(leaf, function.weights.size(), out, context_).all(rows.begin);
    } catch (const ExampleError& error) {  // whose row is a subtree
      const auto part = std::ranges::upper_bound(rows.begin, error.example());
      throw ExampleError(static_cast<std::size_t>(part - rows.begin.begin()) - 1, error.message());
    }
    return out;
  }

  /// The part of an example for the tree of a column, created on demand.
  TreeContributions& part_for(std::size_t example, const TreeColumn& column) {
    auto& parts = out_[example].trees;
    const auto known = std::ranges::find(parts, column.slot, &TreeContributions::slot);
    if (known != parts.end()) return *known;
    TreeContributions& made = parts.emplace_back();
    made.slot = column.slot;
    const Forest& forest = data_.forests()[column.forest].value;
    for (const Occurrence& o : forest.occurrences(column.trees[example])) {
      made.vertices.push_back(o.vertex);
      made.counts.push_back(o.count);
    }
    made.values = Matrix<double>(made.vertices.size(), outputs_);
    std::fill_n(made.values.data(), made.vertices.size() * outputs_, 0.0);
    return made;
  }

  void add_rest(const FunctionNode& node, const Scales& scales) {
    Matrix<double> values(data_.size(), outputs_);
    std::fill_n(values.data(), values.rows() * values.columns(), 0.0);
    add_values(node, state_, data_, values, context_);
    for (std::size_t i = 0; i < data_.size(); ++i) {
      if (scales[i] == 0) continue;
      auto& rest = out_[i].rest.emplace_back();
      rest.name = name_of(node);
      for (const double value : values.row(i)) rest.value.push_back(scales[i] * value);
    }
  }

  static std::string name_of(const FunctionNode& node) {
    if (const auto* vectors = std::get_if<VectorFunction>(&node.what)) {
      return "linear(" + vectors->vector + ")";
    }
    if (const auto* support = std::get_if<SupportFunction>(&node.what)) {
      return Kernel(support->kernel).to_string();
    }
    if (const auto* dense = std::get_if<DenseFunction>(&node.what)) {
      return Kernel(dense->kernel).to_string();
    }
    return "constant";
  }

  const KernelState& state_;
  const Dataset& data_;
  std::size_t outputs_;
  const Context& context_;
  std::vector<Contributions> out_;
};

}  // namespace

std::vector<Contributions> take_apart(const FunctionNode& node, const KernelState& state,
                                      const Dataset& data, std::size_t outputs,
                                      const Context& context) {
  Contributor contributor(state, data, outputs, context);
  contributor.add(node, Scales(data.size(), 1));
  return std::move(contributor).result();
}

}  // namespace espalier
