#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// A matrix in compressed sparse row format, 12 bytes per stored value. Rows are appended. Const
/// members are thread-safe.
class SparseMatrix {
 public:
  /// One row: values[k] is in column columns[k]; columns are ascending.
  struct Row {
    std::span<const std::uint32_t> columns;
    std::span<const double> values;
  };

  explicit SparseMatrix(std::size_t column_count = 0) : column_count_(column_count) {}

  /// Appends a row, possibly empty. Throws Error unless the columns are ascending and less than
  /// column_count, with one value each.
  void add_row(std::span<const std::uint32_t> columns, std::span<const double> values);

  /// Appends a value to the row that finish_row() ends. Requires columns to be ascending within a
  /// row and less than columns() in the end.
  void append(std::uint32_t column, double value) {
    columns_.push_back(column);
    values_.push_back(value);
  }
  void finish_row() { begin_.push_back(values_.size()); }
  void set_columns(std::size_t column_count) { column_count_ = column_count; }

  std::size_t rows() const { return begin_.size() - 1; }
  std::size_t columns() const { return column_count_; }

  /// Number of stored values.
  std::size_t value_count() const { return values_.size(); }

  /// All rows concatenated: row i has the indices [begins()[i], begins()[i + 1]).
  std::span<const std::uint64_t> begins() const { return begin_; }
  std::span<const std::uint32_t> all_columns() const { return columns_; }
  std::span<const double> all_values() const { return values_; }

  Row row(std::size_t i) const {
    const std::size_t first = begin_[i], count = begin_[i + 1] - first;
    return {{columns_.data() + first, count}, {values_.data() + first, count}};
  }

 private:
  std::size_t column_count_;
  std::vector<std::uint64_t> begin_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

}  // namespace espalier
