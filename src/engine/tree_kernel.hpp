#pragma once

#include <memory>
#include <span>

#include "engine/dense_vectors.hpp"
#include "engine/leaf.hpp"

namespace espalier {

/// What a leaf of an expression is computed from.
struct LeafSides {
  const Side& rows;
  const Side& columns;
  bool all_trees;            ///< all trees of an example together
  const KernelState& state;  ///< what the kernel has learned or loaded
  Inputs& inputs;
  const Context& context;

  /// The names of the trees on both sides that a kernel on trees of that name uses.
  std::pair<std::vector<std::string>, std::vector<std::string>> tree_names(
      const std::string& name) const;
};

/// What the engine must know of a tree kernel. Each kernel has one, in its own folder, and defines
/// tree_kernel<Options>() to return it; nothing else refers to it. Settings are at most most_lanes,
/// of the same structure.
struct TreeKernel {
  using Settings = std::span<const TreeKernelNode>;

  /// The leaf of two sides as bags; null if the kernel does not use bags.
  Leaf (*bags_leaf)(const TreeLeafInput&, Settings) = nullptr;
  /// The leaf of two sides as they are; null if the kernel uses bags.
  Leaf (*sides_leaf)(const LeafSides&, Settings) = nullptr;
  /// Index of columns, which does not refer to the bags; null if the kernel needs none.
  Prepared (*prepare)(const Bags&, const TreeKernelNode&) = nullptr;
  /// Index of rows, which refers to the bags; null if the kernel needs none.
  Prepared (*prepare_rows)(const Bags&, const TreeKernelNode&, std::size_t threads) = nullptr;
  /// The dimension of the dense vectors that the kernel is the dot product of; 0 if there are none.
  std::size_t (*dense_dim)(const TreeKernelNode&) = [](const TreeKernelNode&) -> std::size_t {
    return 0;
  };
  /// These vectors, summed over the trees of those names; null if there are none.
  std::unique_ptr<DenseVectors> (*dense_vectors)(const TreeKernelNode&, const Side&,
                                                 const std::vector<std::string>& names) = nullptr;
  /// Which subtrees are equal.
  ForestOptions (*forest_options)(const TreeKernelNode&) = [](const TreeKernelNode&) {
    return ForestOptions();
  };
  /// Whether each inner vertex adds to the self-kernel of a tree.
  bool (*counts_inner_vertices)(const TreeKernelNode&) = [](const TreeKernelNode&) { return true; };
  /// Whether the kernel is linear in the features of subtrees, so that weights of subtrees are all
  /// that a function needs.
  bool (*is_linear)(const TreeKernelNode&) = [](const TreeKernelNode&) { return true; };
  /// Whether the kernel of two bags of trees is the sum over all pairs of trees.
  bool (*sums_over_trees)(const TreeKernelNode&) = [](const TreeKernelNode&) { return true; };
  /// The feature value of a subtree that occurs `count` times in an example, without its weight. A
  /// weighted bag holds sums of these values. Only if the kernel is linear.
  double (*feature)(const TreeKernelNode&, double count) = [](const TreeKernelNode&, double count) {
    return count;
  };
};

template <class Options>
const TreeKernel& tree_kernel();

/// The kernel of a node.
const TreeKernel& tree_kernel(const TreeKernelNode& node);

/// The leaf of these settings.
Leaf make_leaf(const LeafSides& sides, TreeKernel::Settings settings);

/// Whether the kernel of two bags of trees is the sum over all pairs of trees.
bool sums_over_trees(const KernelNode& node);

/// Whether the kernels differ only in swept parameters, so that one pass can compute both in lanes.
bool same_structure(const TreeKernelNode& a, const TreeKernelNode& b);

}  // namespace espalier
