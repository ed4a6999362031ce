#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

#include "engine/bags.hpp"
#include "espalier/base/checkpoint.hpp"

namespace espalier {

/// A block of a matrix.
struct Block {
  Slice rows;
  Slice columns;
  double cells() const {
    return static_cast<double>(rows.size()) * static_cast<double>(columns.size());
  }
};

/// Row-major matrices of one size in memory of the caller.
template <class T>
struct Outputs {
  std::span<T* const> matrices;
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool symmetric = false;

  /// The columns of `some` that are computed in that row: of a symmetric matrix, the lower
  /// triangle.
  Slice computed(Slice some, std::size_t row) const {
    if (!symmetric) return some;
    return {some.begin, std::clamp(row + 1, some.begin, some.end)};
  }
};

/// Finished blocks in a checkpoint: those of an earlier run, and those that this run adds. Kernels
/// that are computed together are stored together, identified by the first of them.
template <class T>
class KeptBlocks {
 public:
  /// Copies all blocks of the checkpoint to the outputs. Throws Error if one does not fit.
  KeptBlocks(Checkpoint& file, const Outputs<T>& outputs);

  bool has(std::size_t kernel, const Block& block) const {
    return done_.contains({kernel, block.rows.begin, block.columns.begin});
  }
  /// Stores this block of the outputs of `kernels` kernels starting at `kernel`. Thread-safe.
  void keep(std::size_t kernel, std::size_t kernels, const Block& block) const;

 private:
  void restore(std::uint64_t kernel, std::string_view bytes);

  Checkpoint& file_;
  Outputs<T> outputs_;
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> done_;  ///< kernel, row, column
};

}  // namespace espalier
