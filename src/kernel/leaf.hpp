#pragma once

#include <memory>
#include <span>
#include <vector>

#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"
#include "kernel/bags.hpp"
#include "kernel/feature_product.hpp"
#include "kernel/lanes.hpp"
#include "kernel/scaled.hpp"

namespace espalier {

/// So many rows of a block are asked for at a time: they stay in the second cache.
inline constexpr std::size_t tile_rows = 32;

/// One thread's tools to compute blocks of a leaf kernel. Settings are the kernels of a sweep:
/// their blocks are computed together, outs[s] for setting s.
class LeafWorker {
 public:
  virtual ~LeafWorker() = default;
  /// Gets ready for a block, whose rows are then asked for from the first one on.
  virtual void start(Slice rows, Slice columns) = 0;
  /// Overwrites `outs` with the next rows of the block; inf or nan where a value does not fit a
  /// double.
  virtual void rows(Slice rows, std::span<const BlockView<double>> outs) = 0;
  /// The block of one setting, whatever the size of its values.
  virtual void scaled_block(std::size_t setting, Slice rows, Slice columns,
                            BlockView<Scaled> out) = 0;
  /// What a block takes, in bytes, at the most, if its rows are asked for tile by tile; a rough
  /// estimate if that is not above `enough`.
  virtual std::size_t bytes(Slice rows, Slice columns, std::size_t enough) = 0;
};

/// A leaf of a kernel expression, at all settings of a sweep, over given rows and columns.
/// Immutable; each thread asks for a worker of its own.
class Leaf {
 public:
  virtual ~Leaf() = default;
  virtual std::unique_ptr<LeafWorker> worker() const = 0;
};

/// Whether the kernels differ only in numbers that can go through one pass side by side.
bool same_structure(const TreeKernelNode& a, const TreeKernelNode& b);

/// What can be found out of columns once for many leaves with other rows.
class PreparedColumns {
 public:
  virtual ~PreparedColumns() = default;
};

/// Null for kernels that prepare nothing. Refers to nothing of the bags.
std::unique_ptr<PreparedColumns> prepare_columns(const Bags& columns, const TreeKernelNode& kernel);

/// The leaf refers to the forest and the bags.
struct TreeLeafInput {
  const Bags& rows;
  const Bags& columns;
  /// Of all these columns, in this forest or in one that it began as; or null.
  const PreparedColumns* prepared = nullptr;
  /// What one worker may take, in bytes.
  std::size_t memory = std::size_t{1} << 30;
  /// How many may be used to get ready.
  std::size_t threads = 1;
};

/// Settings must have the same structure, be at most most_lanes, and not of distributed trees.
std::unique_ptr<Leaf> make_tree_leaf(const TreeLeafInput& input,
                                     std::span<const TreeKernelNode> settings);
std::unique_ptr<Leaf> make_subtree_leaf(const TreeLeafInput& input,
                                        std::span<const SubtreeOptions> settings);
/// For kernels that have SimilarityOptions.
std::unique_ptr<Leaf> make_smoothed_leaf(const TreeLeafInput& input,
                                         std::span<const TreeKernelNode> settings);

/// What makes two subtrees the same for a kernel.
ForestOptions forest_options(const TreeKernelNode& kernel);

/// Whether the kernel of two bags of trees is the sum over all pairs of trees.
bool sums_over_trees(const KernelNode& node);

/// What each vertex weighs in the subtree kernel; 0 for those that do not count. Throws Error if
/// the weights are still to be learned.
std::vector<double> subtree_weights(const Forest& forest, const SubtreeOptions& options);

/// What a subtree that occurs `count` times is worth in the dot product of the subtree kernel,
/// apart from its weight. Not for kappa=min, which needs several features for a subtree. A weighted
/// bag holds sums of these.
double subtree_feature(const SubtreeOptions& options, double count);

/// Kernels on vectors; `rows` and `columns` number their features alike.
std::unique_ptr<Leaf> make_vector_leaf(const Features& rows, const Features& columns,
                                       const VectorKernelNode& setting);

}  // namespace espalier
