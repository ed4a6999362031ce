#include "kernel/registry.hpp"

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

template <class Options>
constexpr LeafRow on_trees(std::string_view name, std::string_view description) {
  return {name,
          description,
          false,
          parameters_of<Options>,
          make_leaf<TreeKernelNode, Options>,
          values_of<TreeKernelNode, Options>};
}

template <class Options>
constexpr LeafRow on_vectors(std::string_view name, std::string_view description) {
  return {name,
          description,
          true,
          parameters_of<Options>,
          make_leaf<VectorKernelNode, Options>,
          values_of<VectorKernelNode, Options>};
}

constexpr std::array leaf_rows = {
    on_trees<SubtreeOptions>("st", "complete subtrees that both trees contain"),
    on_trees<SubsetTreeOptions>("sst", "fragments whose nodes keep all of their children or none"),
    on_trees<PartialTreeOptions>("pt",
                                 "fragments whose nodes keep any of their children, in order"),
    on_trees<SmoothedTreeOptions>("spt", "pt in which words match as far as they are similar"),
    on_trees<CompositionalTreeOptions>("cspt",
                                       "spt that also composes the vectors of head and modifier"),
    on_trees<SubpathOptions>("subpath", "vertical paths of labels that both trees contain"),
    on_trees<WordsOptions>("lex", "words of the trees, each with each: equal ones, or by vectors"),
    on_trees<DistributedTreeOptions>(
        "dtk", "dot product of distributed trees: an estimate of sst(lambda) / lambda"),
    on_vectors<LinearOptions>("linear", "dot product"),
    on_vectors<PolynomialOptions>("poly", "(scale * dot product + offset)^degree"),
    on_vectors<RbfOptions>("rbf", "exp(-gamma * squared distance)"),
    on_vectors<CosineOptions>("cosine", "cosine of the angle; 0 if one vector is 0"),
};

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
