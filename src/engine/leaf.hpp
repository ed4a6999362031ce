#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/inputs.hpp"
#include "engine/lanes.hpp"
#include "engine/scaled.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

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
struct Leaf {
  std::function<std::unique_ptr<LeafWorker>()> worker;
  /// Whether the self-kernel of a row is 0 by underflow only.
  std::function<bool(std::size_t row)> never_vanishes = [](std::size_t) { return false; };
};

/// An index of columns, built once and reused for different rows, or of rows, built once and reused
/// for different columns in the same forest. Only the kernel that made it knows its type.
using Prepared = std::shared_ptr<const void>;

/// The leaf refers to the forest and the bags.
struct TreeLeafInput {
  const Bags& rows;
  const Bags& columns;
  /// What the kernel has learned or loaded.
  const KernelState& state;
  /// Index of all these columns in this forest, or in an earlier state of it; or null.
  Prepared prepared = nullptr;
  /// Memory budget of one worker in bytes.
  std::size_t memory = std::size_t{1} << 30;
  /// Threads for construction.
  std::size_t threads = 1;
  /// Index of these rows, or null; then the columns are the weights of functions.
  Prepared prepared_rows = nullptr;
};

/// For kernels whose values fit doubles: set_rows() writes a block of doubles, copied to `out`.
template <class SetRows>
void copy_to_scaled(Slice rows, Slice columns, BlockView<Scaled> out, SetRows&& set_rows) {
  std::vector<double> values(rows.size() * columns.size());
  const BlockView<double> plain = {values.data(), columns.size()};
  set_rows(plain);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(plain.row(i), columns.size(), out.row(i));
  }
}

/// Kernels on vectors, whose features have one numbering on both sides.
Leaf make_vector_leaf(SparseMatrix rows, SparseMatrix columns,
                      std::vector<VectorKernelNode> settings);

}  // namespace espalier
