#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pages.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/sparse_matrix.hpp"

namespace espalier {

/// Where the features of a row are stored.
struct RowPlace {
  std::uint64_t begin;
  std::uint32_t count;
};

/// A copy of sparse rows for coordinate descent, which waits for memory most of the time.
///
/// Columns are numbered by descending frequency, so that the weights of frequent features share
/// cache lines. A feature that only one row has, as most large subtrees are, needs no weight: it is
/// b_i x_ik, which adds b_i x_ik^2 to the product of weights and row. Of these features the row
/// keeps the sum of squares.
class CompactRows {
 public:
  /// The given rows of the matrix, which must outlive this. Parallel, O(values).
  CompactRows(const SparseMatrix& matrix, std::span<const std::uint32_t> rows,
              const Context& context);

  /// Number of features that several rows share.
  std::size_t columns() const { return columns_; }
  RowPlace place(std::size_t i) const {
    return {begin_[i], static_cast<std::uint32_t>(begin_[i + 1] - begin_[i])};
  }
  /// The shared features of a row, in any order.
  SparseMatrix::Row row(RowPlace at) const {
    return {{column_.data() + at.begin, at.count}, {values_.data() + at.begin, at.count}};
  }
  /// The sum of squares of the features that only this row has.
  double own_square(std::size_t i) const { return own_square_[i]; }

  /// Sets the weight of each column of the matrix to the sum of values[k] x_i over some rows i =
  /// rows[k], given the weights of the shared columns.
  void expand(std::span<const double> shared, std::span<const std::uint32_t> rows,
              std::span<const double> values, std::span<double> weights) const;

 private:
  void number_columns();
  void copy_row(std::size_t i);

  const SparseMatrix& matrix_;
  std::vector<std::uint32_t> rows_;
  std::size_t columns_ = 0;
  std::vector<std::uint32_t> number_;  ///< per column of the matrix; none unless it is shared
  std::vector<std::uint64_t> begin_;
  PageArray<std::uint32_t> column_;
  PageArray<double> values_;
  std::vector<double> own_square_;
};

}  // namespace espalier
