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

/// Rows of a block that are computed at a time: they fit the second-level cache.
inline constexpr std::size_t tile_rows = 32;

/// Computes blocks of a leaf kernel, for one thread. The kernels of a sweep (settings) are computed
/// together, outs[s] for setting s.
class LeafWorker {
 public:
  virtual ~LeafWorker() = default;
  /// Prepares for a block. Its rows must then be requested in ascending order.
  virtual void start(Slice rows, Slice columns) = 0;
  /// Overwrites `outs` with the next rows of the block; inf or nan where a value overflows.
  virtual void rows(Slice rows, std::span<const BlockView<double>> outs) = 0;
  /// The block of one setting in extended range.
  virtual void scaled_block(std::size_t setting, Slice rows, Slice columns,
                            BlockView<Scaled> out) = 0;
  /// Upper bound on the memory for a block in bytes, if its rows are requested tile by tile. A
  /// cheap estimate if that does not exceed `enough`.
  virtual std::size_t bytes(Slice rows, Slice columns, std::size_t enough) = 0;
};

/// A leaf of a kernel expression, for all settings of a sweep, on given rows and columns.
/// Immutable; each thread creates its own worker.
class Leaf {
 public:
  virtual ~Leaf() = default;
  virtual std::unique_ptr<LeafWorker> worker() const = 0;
};

/// Whether the kernels differ only in numbers, so that one pass can compute both in lanes.
bool same_structure(const TreeKernelNode& a, const TreeKernelNode& b);

/// Column index, built once and reused for different rows.
class PreparedColumns {
 public:
  virtual ~PreparedColumns() = default;
};

/// Null for kernels that need no index. Does not refer to the bags.
std::unique_ptr<PreparedColumns> prepare_columns(const Bags& columns, const TreeKernelNode& kernel);

/// The leaf refers to the forest and the bags.
struct TreeLeafInput {
  const Bags& rows;
  const Bags& columns;
  /// Index of all these columns in this forest, or in an earlier state of it; or null.
  const PreparedColumns* prepared = nullptr;
  /// Memory budget of one worker in bytes.
  std::size_t memory = std::size_t{1} << 30;
  /// Threads for construction.
  std::size_t threads = 1;
};

/// Requires at most most_lanes settings of the same structure, and no distributed trees.
std::unique_ptr<Leaf> make_tree_leaf(const TreeLeafInput& input,
                                     std::span<const TreeKernelNode> settings);
std::unique_ptr<Leaf> make_subtree_leaf(const TreeLeafInput& input,
                                        std::span<const SubtreeOptions> settings);
/// For kernels with SimilarityOptions.
std::unique_ptr<Leaf> make_smoothed_leaf(const TreeLeafInput& input,
                                         std::span<const TreeKernelNode> settings);

/// Which subtrees a kernel considers equal.
ForestOptions forest_options(const TreeKernelNode& kernel);

/// Whether the kernel of two bags of trees is the sum over all pairs of trees.
bool sums_over_trees(const KernelNode& node);

/// The weight of each vertex in the subtree kernel; 0 if it does not count. Throws Error if the
/// weights have not been learned yet.
std::vector<double> subtree_weights(const Forest& forest, const SubtreeOptions& options);

/// The feature value of a subtree that occurs `count` times, without its weight. Not for kappa=min,
/// which has several features per subtree. A weighted bag holds sums of these values.
double subtree_feature(const SubtreeOptions& options, double count);

/// Kernels on vectors; `rows` and `columns` share their feature ids.
std::unique_ptr<Leaf> make_vector_leaf(const SparseMatrix& rows, const SparseMatrix& columns,
                                       const VectorKernelNode& setting);

}  // namespace espalier
