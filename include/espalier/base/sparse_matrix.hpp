#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// A matrix of which only the values that are not 0 are stored, row by row: 12 bytes each. Rows are
/// added one after the other. Reading is safe from many threads.
class SparseMatrix {
 public:
  /// One row: values[k] stands in columns[k]; columns rise.
  struct Row {
    std::span<const std::uint32_t> columns;
    std::span<const double> values;
  };

  explicit SparseMatrix(std::size_t column_count) : column_count_(column_count) {}

  /// Adds a row, possibly an empty one. An Error unless the columns rise, are below column_count,
  /// and have a value each.
  void add_row(std::span<const std::uint32_t> columns, std::span<const double> values);

  std::size_t rows() const { return begin_.size() - 1; }
  std::size_t columns() const { return column_count_; }

  /// How many values are stored.
  std::size_t value_count() const { return values_.size(); }

  /// All rows one after the other: row i has the places [begins()[i], begins()[i + 1]).
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
