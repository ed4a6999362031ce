#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/simd.hpp"
#include "engine/row_memory.hpp"

namespace espalier {

/// The contribution of one occurrence of a vertex to a row: a value for every column, or for some.
template <class Value>
struct ColumnSum {
  std::uint32_t* columns = nullptr;  ///< null: all of them
  Value* values = nullptr;
  std::uint32_t size = 0;

  void add_to(Value* row, const Value& count) const {
    if (size == 0) return;
    if (columns == nullptr) {
      add_all(values, size, count, row);
    } else {
      for (std::uint32_t k = 0; k < size; ++k) row[columns[k]] += count * values[k];
    }
  }

 private:
  ESPALIER_SIMD static void add_all(const Value* values, std::size_t size, Value count,
                                    Value* row) {
    for (std::size_t j = 0; j < size; ++j) row[j] += count * values[j];
  }
};

/// Cache of the sums of vertices that later rows of a block contain too.
template <class Value>
class KeptSums {
 public:
  void start(std::size_t vertices, std::size_t columns) {
    ++block_;
    sums_.resize(vertices);
    visited_in_.resize(vertices, 0);
    const std::size_t classes = class_of(columns) + 1;
    values_.start(classes);
    columns_.start(classes);
  }
  /// Whether this is the first visit of the vertex in the block. Must be called before any other
  /// member for this vertex.
  bool visit(std::uint32_t number) {
    if (std::exchange(visited_in_[number], block_) == block_) return false;
    sums_[number] = {};
    return true;
  }
  const ColumnSum<Value>& of(std::uint32_t number) const { return sums_[number]; }

  /// Stores a copy of the sum of a vertex.
  void keep(std::uint32_t number, const ColumnSum<Value>& sum) {
    const std::uint32_t c = class_of(sum.size);
    Value* const values = values_.take(c, std::size_t{step} * c);
    std::copy_n(sum.values, sum.size, values);
    sums_[number] = {nullptr, values, sum.size};
    if (sum.columns == nullptr) return;
    std::uint32_t* const columns = columns_.take(c, std::size_t{step} * c);
    std::copy_n(sum.columns, sum.size, columns);
    sums_[number].columns = columns;
  }
  void forget(std::uint32_t number) {
    ColumnSum<Value>& sum = sums_[number];
    if (sum.size == 0) return;
    const std::uint32_t c = class_of(sum.size);
    values_.release(c, sum.values);
    if (sum.columns != nullptr) columns_.release(c, sum.columns);
    sum = {};
  }
  /// Memory for each vertex that may have a sum.
  static constexpr std::size_t bytes_per_vertex = sizeof(ColumnSum<Value>) + sizeof(std::uint32_t);
  /// Memory of a sum over `size` columns.
  static std::size_t bytes(std::size_t size) {
    return std::size_t{step} * class_of(size) * (sizeof(Value) + sizeof(std::uint32_t));
  }

 private:
  /// Memory is allocated in multiples of this.
  static constexpr std::uint32_t step = 32;
  static std::uint32_t class_of(std::size_t size) {
    return static_cast<std::uint32_t>((size + step - 1) / step);
  }

  std::uint32_t block_ = 0;  ///< number of the current block
  // Per vertex number of RowIndex:
  std::vector<ColumnSum<Value>> sums_;
  std::vector<std::uint32_t> visited_in_;  ///< the last block that visited it
  RowMemory<Value> values_;
  RowMemory<std::uint32_t> columns_;
};

}  // namespace espalier
