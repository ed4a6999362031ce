#include "gram/function_node.hpp"

#include <algorithm>

namespace espalier {

namespace {

bool is_constant(const KernelNode& node) { return std::holds_alternative<ConstantNode>(node.what); }

struct IsLinear {
  bool operator()(const ConstantNode&) const { return true; }
  bool operator()(const TreeKernelNode& leaf) const { return tree_kernel(leaf).is_linear(leaf); }
  bool operator()(const VectorKernelNode& leaf) const {
    return std::holds_alternative<LinearOptions>(leaf.options) ||
           std::holds_alternative<CosineOptions>(leaf.options);
  }
  bool operator()(const CombinationNode& node) const {
    const bool linear = std::ranges::all_of(node.operands, [](const KernelNode& operand) {
      return std::visit(IsLinear(), operand.what);
    });
    switch (node.how) {
      case Combination::product:
        return linear && std::ranges::count_if(node.operands, is_constant) + 1 >=
                             static_cast<std::ptrdiff_t>(node.operands.size());
      case Combination::pair_product:
        return false;
      case Combination::all:
        return linear && sums_over_trees(node.operands[0]);
      default:
        return linear;
    }
  }
};

FunctionNode make(const KernelNode& node, const Sides& sides, bool all_trees);

struct MakeFunction {
  const Sides& sides;
  bool all_trees;

  FunctionNode operator()(const ConstantNode& node) const {
    return {ConstantFunction{node.value, {}}};
  }
  FunctionNode operator()(const TreeKernelNode& leaf) const {
    if (tree_kernel(leaf).dense_dim(leaf) > 0) {
      return {DenseFunction{{leaf}, sides, all_trees, {}}};
    }
    return {
        TreeFunction{leaf, sides, all_trees, Forest(tree_kernel(leaf).forest_options(leaf)), {}}};
  }
  FunctionNode operator()(const VectorKernelNode& leaf) const {
    if (std::holds_alternative<CosineOptions>(leaf.options)) {
      const KernelNode linear{VectorKernelNode{leaf.vector, LinearOptions()}};
      return {NormFunction{linear, sides, {make(linear, sides, false)}}};
    }
    return {VectorFunction{leaf.vector, sides, false, 0, {}, {}}};
  }
  FunctionNode operator()(const CombinationNode& node) const {
    const KernelNode& first = node.operands[0];
    SumFunction sum;
    const auto members = [&](const char* row, const char* column) {
      sum.parts.push_back(make(first, {row, column, ""}, false));
    };
    switch (node.how) {
      case Combination::norm:
        return {NormFunction{first, sides, {make(first, sides, all_trees)}}};
      case Combination::each:
        return {EachFunction{first, sides, {}, {}}};
      case Combination::all:
        return make(first, sides, true);
      case Combination::cross:
        members("a", "b");
        members("b", "a");
        [[fallthrough]];
      case Combination::pair:
        members("a", "a");
        members("b", "b");
        break;
      case Combination::product:
        return product(node);
      case Combination::sum:
      case Combination::pair_product:  // not linear: unreachable
        for (const KernelNode& operand : node.operands) {
          sum.parts.push_back(make(operand, sides, all_trees));
        }
        break;
    }
    return {std::move(sum)};
  }

 private:
  /// Whether at most one operand is not a constant.
  FunctionNode product(const CombinationNode& node) const {
    SumFunction scaled;
    const KernelNode* other = nullptr;
    for (const KernelNode& operand : node.operands) {
      if (const auto* constant = std::get_if<ConstantNode>(&operand.what)) {
        scaled.factor *= constant->value;
      } else {
        other = &operand;
      }
    }
    if (other == nullptr) return {ConstantFunction{scaled.factor, {}}};
    scaled.parts.push_back(make(*other, sides, all_trees));
    return {std::move(scaled)};
  }
};

FunctionNode make(const KernelNode& node, const Sides& sides, bool all_trees) {
  return std::visit(MakeFunction{sides, all_trees}, node.what);
}

}  // namespace

const FunctionColumns& TreeFunction::as_columns() const {
  return columns.get([this] {
    Bags outputs(forest);
    for (const SparseWeights& of_output : weights) outputs.add(of_output);
    Prepared prepared;
    const auto prepare = tree_kernel(kernel).prepare;
    if (prepare != nullptr) prepared = prepare(outputs, kernel);
    return std::unique_ptr<const FunctionColumns>(
        new FunctionColumns{std::move(outputs), std::move(prepared)});
  });
}

FunctionNode make_support_function(const KernelNode& kernel) {
  return {SupportFunction{kernel, {}, {}}};
}

FunctionNode make_function(const KernelNode& kernel, const Sides& sides) {
  if (std::visit(IsLinear(), kernel.what)) return make(kernel, sides, false);
  const auto* node = std::get_if<CombinationNode>(&kernel.what);
  if (node == nullptr || node->how != Combination::sum) return make_support_function(kernel);
  SumFunction sum;
  for (const KernelNode& operand : node->operands) sum.parts.push_back(make_function(operand));
  return {std::move(sum)};
}

}  // namespace espalier
