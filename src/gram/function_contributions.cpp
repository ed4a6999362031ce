// Decomposition of function values: the contribution of each distinct subtree of an example.

#include <algorithm>

#include "engine/row_memory.hpp"
#include "gram/function_forest.hpp"
#include "gram/function_node.hpp"

namespace espalier {

namespace {

class Contributor {
 public:
  Contributor(const KernelState& state, const Dataset& data, std::size_t outputs,
              const Context& context)
      : state_(state), data_(data), outputs_(outputs), context_(context) {}

  /// Adds the contributions of a node, times `scale`.
  void add(const FunctionNode& node, double scale) {
    if (const auto* sum = std::get_if<SumFunction>(&node.what)) {
      for (const FunctionNode& part : sum->parts) add(part, scale);
    } else if (const auto* norm = std::get_if<NormFunction>(&node.what)) {
      const double length = self_kernel_roots(norm->kernel, state_, side(norm->sides), context_)[0];
      if (length > 0) add(norm->below[0], scale / length);
    } else if (const auto* each = std::get_if<EachFunction>(&node.what)) {
      const auto names = Inputs::tree_names(side(each->sides));
      for (std::size_t n = 0; n < each->names.size(); ++n) {
        if (std::ranges::find(names, each->names[n]) != names.end()) add(each->parts[n], scale);
      }
    } else if (const auto* trees = std::get_if<TreeFunction>(&node.what)) {
      add_trees(*trees, scale);
    } else {
      add_rest(node, scale);
    }
  }
  Contributions result() && { return std::move(out_); }

 private:
  Side side(const Sides& sides) const { return {&data_, sides.row_member, sides.tree}; }

  /// Evaluates each distinct subtree as an example of its own.
  void add_trees(const TreeFunction& function, double scale) {
    const Side trees = side(function.sides);
    const FunctionForest forest(function, state_, trees);
    for (std::size_t n = 0; n < forest.names().size(); ++n) {
      TreeContributions* part = find({trees.member, forest.names()[n]});
      if (part == nullptr) continue;
      std::vector<SparseWeights> alone;
      for (const VertexId v : part->vertices) alone.push_back({{forest.vertex(n, v)}, {1.0}});
      Bags rows(forest.forest());
      for (const SparseWeights& vertex : alone) rows.add(vertex);
      const Slice all{0, rows.size()}, functions{0, function.weights.size()};
      std::vector<double> block(all.size() * functions.size());
      const BlockView<double> view{block.data(), functions.size()};
      const Leaf leaf = forest.leaf(rows, context_);
      const auto worker = leaf.worker();
      worker->start(all, functions);
      try {
        worker->rows(all, {&view, 1});
      } catch (const ExampleError& error) {  // whose row is a subtree
        throw Error("the example " + error.message());
      }
      for (std::size_t k = 0; k < all.size(); ++k) {
        for (std::size_t o = 0; o < functions.size(); ++o) {
          part->values(k, o) += scale * view.row(k)[o];
        }
      }
    }
  }

  /// The part for the tree in this slot, created on demand; null if the example lacks the tree.
  TreeContributions* find(const Slot& slot) {
    const auto known = std::ranges::find(out_.trees, slot, &TreeContributions::slot);
    if (known != out_.trees.end()) return &*known;
    const auto column = std::ranges::find(data_.trees(), slot, &TreeColumn::slot);
    if (column == data_.trees().end() || column->trees[0] == none) return nullptr;
    TreeContributions& made = out_.trees.emplace_back();
    made.slot = slot;
    for (const Occurrence& o :
         data_.forests()[column->forest].value.occurrences(column->trees[0])) {
      made.vertices.push_back(o.vertex);
      made.counts.push_back(o.count);
    }
    made.values = Matrix<double>(made.vertices.size(), outputs_);
    std::fill_n(made.values.data(), made.vertices.size() * outputs_, 0.0);
    return &made;
  }

  void add_rest(const FunctionNode& node, double scale) {
    Matrix<double> values(1, outputs_);
    std::ranges::fill(values.row(0), 0.0);
    add_values(node, state_, data_, values, context_);
    out_.rest.push_back({name_of(node), {}});
    auto& rest = out_.rest.back();
    for (const double value : values.row(0)) rest.value.push_back(scale * value);
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
  Contributions out_;
};

}  // namespace

Contributions take_apart(const FunctionNode& node, const KernelState& state, const Dataset& data,
                         std::size_t outputs, const Context& context) {
  Contributor contributor(state, data, outputs, context);
  contributor.add(node, 1);
  return std::move(contributor).result();
}

}  // namespace espalier
