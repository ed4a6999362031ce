#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "espalier/distributed/options.hpp"
#include "espalier/kernel/options.hpp"

namespace espalier {

struct KernelNode;

/// A kernel on the trees of one name ("" for the only one there is). The options are the registry:
/// a kernel is known by the name in its options.
struct TreeKernelNode {
  std::string tree;
  std::variant<SubtreeOptions, SubsetTreeOptions, PartialTreeOptions, SmoothedTreeOptions,
               CompositionalTreeOptions, SubpathOptions, RouteOptions, WordsOptions,
               DistributedTreeOptions>
      options;
  /// Only nodes with these labels match: select(). Sorted and distinct; empty for all labels.
  std::vector<std::string> labels = {};
  friend bool operator==(const TreeKernelNode&, const TreeKernelNode&) = default;
};

/// A kernel on the vectors of one name ("" for the only one there is).
struct VectorKernelNode {
  std::string vector;
  std::variant<LinearOptions, PolynomialOptions, RbfOptions, CosineOptions> options;
  friend bool operator==(const VectorKernelNode&, const VectorKernelNode&) = default;
};

/// A constant kernel.
struct ConstantNode {
  double value;
  friend bool operator==(const ConstantNode&, const ConstantNode&) = default;
};

/// How operands are combined: all but sum and product have exactly one.
enum class Combination {
  sum,
  product,
  norm,          ///< K(x,y) / sqrt(K(x,x) K(y,y)); 0 where a self-kernel is 0
  pair,          ///< K(a1,a2) + K(b1,b2) on the members a and b of two pairs
  cross,         ///< pair + K(a1,b2) + K(b1,a2)
  pair_product,  ///< K(a1,a2) K(b1,b2)
  each,          ///< summed over tree names: each tree with the tree of the same name
  all,           ///< summed over all pairs of trees of the two examples
};

struct CombinationNode {
  Combination how;
  std::vector<KernelNode> operands;
  friend bool operator==(const CombinationNode&, const CombinationNode&) = default;
};

/// A validated node of a kernel expression: names are known, values are in range.
struct KernelNode {
  std::variant<TreeKernelNode, VectorKernelNode, ConstantNode, CombinationNode> what;
  friend bool operator==(const KernelNode&, const KernelNode&) = default;
};

/// A kernel, built from an expression such as "norm(pt(grct, mu=0.3)) + 0.5*norm(linear(bow))".
/// docs/kernels.md has the grammar. Immutable and thread-safe.
class Kernel {
 public:
  /// Throws Error with the position in the text, what was expected and the nearest known name.
  explicit Kernel(std::string_view expression);
  explicit Kernel(KernelNode root) : root_(std::move(root)) {}

  const KernelNode& root() const { return root_; }
  /// The canonical form: all parameters that differ from their defaults, in a fixed order. It
  /// parses to an equal kernel.
  std::string to_string() const;

  friend bool operator==(const Kernel&, const Kernel&) = default;

 private:
  KernelNode root_;
};

/// Whether select() can restrict the kernel to some labels: sst, pt, subpath and route.
bool can_select(const TreeKernelNode& kernel);

/// The kernel with its only kernel on trees restricted to nodes with these labels, as by select().
/// Throws Error if there is not exactly one, if it cannot be restricted or is already, or if there
/// are no labels.
Kernel with_labels(const Kernel& kernel, std::vector<std::string> labels);

/// All kernels of an expression with lists in place of numbers, as in "sst(lambda={0.2,0.4})": one
/// for each combination, the last list varying fastest. One kernel if there is no list.
std::vector<Kernel> parse_sweep(std::string_view expression);

/// For each of these kernels: what its lists are called and which number they have in it. A list
/// that is a factor is called "factor"; of several with one name the second is "lambda (2)".
std::vector<std::vector<Setting>> sweep_settings(std::string_view expression);

/// The names of all kernels and combinations with a one-line description, for --help and the
/// reference.
std::string describe_kernels();

/// A kernel on trees or vectors with its parameters.
struct KernelDescription {
  std::string_view name;
  std::string_view description;
  std::vector<ParameterRow> parameters;
};
std::vector<KernelDescription> kernel_descriptions();

}  // namespace espalier
