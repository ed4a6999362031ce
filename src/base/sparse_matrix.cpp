#include "espalier/base/sparse_matrix.hpp"

#include <fmt/format.h>

#include "espalier/base/error.hpp"

namespace espalier {

void SparseMatrix::add_row(std::span<const std::uint32_t> columns, std::span<const double> values) {
  if (columns.size() != values.size()) {
    throw Error(fmt::format("a row has {} columns but {} values", columns.size(), values.size()));
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] >= column_count_) {
      throw Error(
          fmt::format("there is no column {}: the matrix has {}", columns[k], column_count_));
    }
    if (k > 0 && columns[k] <= columns[k - 1]) {
      throw Error(fmt::format("column {} comes after column {}: the columns of a row must rise",
                              columns[k], columns[k - 1]));
    }
  }
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  values_.insert(values_.end(), values.begin(), values.end());
  finish_row();
}

}  // namespace espalier
