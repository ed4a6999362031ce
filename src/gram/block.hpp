#pragma once

#include <algorithm>
#include <vector>

#include "engine/bags.hpp"

namespace espalier {

/// A block of a matrix.
struct Block {
  Slice rows;
  Slice columns;
  double cells() const {
    return static_cast<double>(rows.size()) * static_cast<double>(columns.size());
  }
};

/// The size of a Gram matrix.
struct GramShape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool symmetric = false;

  /// The columns of `some` that are computed in that row: of a symmetric matrix, the lower
  /// triangle.
  Slice computed(Slice some, std::size_t row) const {
    if (!symmetric) return some;
    return {some.begin, std::clamp(row + 1, some.begin, some.end)};
  }
  /// The rows of `some` that are below the diagonal in that column: their values are copied across
  /// the diagonal of a symmetric matrix.
  Slice mirrored(Slice some, std::size_t column) const {
    if (!symmetric) return {some.end, some.end};
    return {std::clamp(column + 1, some.begin, some.end), some.end};
  }
};

// Measured on questions and programs: wide enough to share work between columns, narrow enough that
// a row of one group fits the first-level cache.
inline constexpr std::size_t block_columns = 512;
inline constexpr std::size_t block_rows = 4096;

/// The blocks of a matrix; of a symmetric one, those that intersect its lower triangle. The columns
/// are divided into `stripes` parts, unless these get too narrow or too wide.
inline std::vector<Block> cut(const GramShape& shape, std::size_t stripes) {
  const std::size_t width = std::clamp<std::size_t>(shape.columns / stripes, 8, block_columns);
  std::vector<Block> blocks;
  for (std::size_t j = 0; j < shape.columns; j += width) {
    const Slice slice{j, std::min(shape.columns, j + width)};
    for (std::size_t i = shape.symmetric ? j : 0; i < shape.rows; i += block_rows) {
      blocks.push_back({{i, std::min(shape.rows, i + block_rows)}, slice});
    }
  }
  return blocks;
}

}  // namespace espalier
