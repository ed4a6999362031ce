#include "kernel/registry.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace espalier {

namespace {

template <class Options>
std::vector<ParameterRow> parameters_of() {
  Options defaults;
  const Parameters parameters(defaults);
  return {parameters.rows().begin(), parameters.rows().end()};
}

template <class Node, class Options>
KernelNode make_leaf(std::string operand, std::span<const Value> values) {
  Options options;
  Parameters parameters(options);
  for (std::size_t i = 0; i < values.size(); ++i) {
    parameters.set(parameters.rows()[i].name, values[i]);
  }
  return {Node{std::move(operand), options}};
}

template <class Node, class Options>
std::optional<std::vector<Value>> values_of(const KernelNode& node) {
  const Node* const leaf = std::get_if<Node>(&node.what);
  const Options* const options = leaf == nullptr ? nullptr : std::get_if<Options>(&leaf->options);
  if (options == nullptr) return std::nullopt;
  Options copy = *options;
  const Parameters parameters(copy);
  std::vector<Value> values;
  for (const ParameterRow& row : parameters.rows()) values.push_back(row.default_value);
  return values;
}

/// A row for each alternative of the options of a node.
template <class Node, class... Options>
constexpr std::array<LeafRow, sizeof...(Options)> rows_of(std::variant<Options...> Node::*) {
  return {LeafRow{Options::name, Options::description, std::is_same_v<Node, VectorKernelNode>,
                  parameters_of<Options>, make_leaf<Node, Options>, values_of<Node, Options>}...};
}

constexpr auto tree_rows = rows_of(&TreeKernelNode::options);
constexpr auto vector_rows = rows_of(&VectorKernelNode::options);
constexpr auto leaf_rows = [] {
  std::array<LeafRow, tree_rows.size() + vector_rows.size()> out{};
  std::ranges::copy(vector_rows, std::ranges::copy(tree_rows, out.begin()).out);
  return out;
}();

constexpr std::array combination_rows = {
    CombinationRow{"norm", "K(x,y) / sqrt(K(x,x) K(y,y)); 0 where a self-kernel is 0",
                   Combination::norm, Applied::to_example},
    CombinationRow{"pair", "K(a1,a2) + K(b1,b2) on the members a and b of two pairs",
                   Combination::pair, Applied::to_members},
    CombinationRow{"cross", "pair(K) + K(a1,b2) + K(b1,a2)", Combination::cross,
                   Applied::to_members},
    CombinationRow{"pairproduct", "K(a1,a2) K(b1,b2)", Combination::pair_product,
                   Applied::to_members},
    CombinationRow{"each", "sum over the names of trees, each with the tree of the same name",
                   Combination::each, Applied::to_trees},
    CombinationRow{"all", "sum over all trees of one example with all trees of the other",
                   Combination::all, Applied::to_trees},
};

}  // namespace

std::span<const LeafRow> leaf_kernels() { return leaf_rows; }

std::span<const CombinationRow> combinations() { return combination_rows; }

}  // namespace espalier
