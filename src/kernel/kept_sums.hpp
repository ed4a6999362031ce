#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/simd.hpp"
#include "kernel/row_memory.hpp"

namespace espalier {

/// What a vertex adds to each row that has it once: a value for every column, or for some.
template <class Value>
struct ColumnSum {
  std::uint32_t* columns = nullptr;  ///< null: all of them
  Value* values = nullptr;
  std::uint32_t size = 0;
};

/// A sum that is added several times.
template <class Value>
struct Addend {
  Value count;
  ColumnSum<Value> sum;
};

/// Adds dense sums, four at a time: the row is read and written once for them.
template <class Value>
class DenseSums {
 public:
  void add(const Addend<Value>& addend, Value* row) {
    addends_[count_++] = &addend;
    if (count_ == most) finish(row);
  }
  void finish(Value* row) {
    if (count_ == most) {
      add_four(addends_, row);
    } else {
      for (std::size_t d = 0; d < count_; ++d) {
        add_one(addends_[d]->sum.values, addends_[d]->sum.size, addends_[d]->count, row);
      }
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t most = 4;

  ESPALIER_SIMD static void add_one(const Value* values, std::size_t size, Value count,
                                    Value* row) {
    for (std::size_t j = 0; j < size; ++j) row[j] += count * values[j];
  }
  ESPALIER_SIMD static void add_four(const Addend<Value>* const* addends, Value* row) {
    const Value* values[most];
    Value counts[most];
    for (std::size_t d = 0; d < most; ++d) {
      values[d] = addends[d]->sum.values;
      counts[d] = addends[d]->count;
    }
    const std::size_t size = addends[0]->sum.size;
    for (std::size_t j = 0; j < size; ++j) {
      Value sum = row[j];
      for (std::size_t d = 0; d < most; ++d) sum += counts[d] * values[d][j];
      row[j] = sum;
    }
  }

  std::size_t count_ = 0;
  const Addend<Value>* addends_[most];
};

/// In their order.
template <class Value>
void add_sums(std::span<const Addend<Value>> addends, Value* row) {
  DenseSums<Value> dense;
  for (const Addend<Value>& addend : addends) {
    const ColumnSum<Value>& sum = addend.sum;
    if (sum.columns == nullptr) {
      dense.add(addend, row);
    } else {
      dense.finish(row);
      for (std::uint32_t k = 0; k < sum.size; ++k) {
        row[sum.columns[k]] += addend.count * sum.values[k];
      }
    }
  }
  dense.finish(row);
}

/// The sums of vertices that later rows of a block have too.
template <class Value>
class KeptSums {
 public:
  void start(std::size_t vertices, std::size_t columns) {
    ++block_;
    sums_.resize(vertices);
    const std::size_t classes = class_of(columns) + 1;
    values_.start(classes);
    columns_.start(classes);
  }
  /// Whether the vertex is met first in the block. To be called before all else.
  bool meet(std::uint32_t number) {
    if (sums_[number].block == block_) return false;
    sums_[number] = {{}, block_};
    return true;
  }
  const ColumnSum<Value>& of(std::uint32_t number) const { return sums_[number].sum; }

  /// Copies the sum of a vertex.
  void keep(std::uint32_t number, const ColumnSum<Value>& sum) {
    const std::uint32_t c = class_of(sum.size);
    Value* const values = values_.take(c, step * c);
    std::copy_n(sum.values, sum.size, values);
    sums_[number].sum = {nullptr, values, sum.size};
    if (sum.columns == nullptr) return;
    std::uint32_t* const columns = columns_.take(c, step * c);
    std::copy_n(sum.columns, sum.size, columns);
    sums_[number].sum.columns = columns;
  }
  void forget(std::uint32_t number) {
    ColumnSum<Value>& sum = sums_[number].sum;
    if (sum.size == 0) return;
    const std::uint32_t c = class_of(sum.size);
    values_.give_back(c, sum.values);
    if (sum.columns != nullptr) columns_.give_back(c, sum.columns);
    sum = {};
  }
  /// What the sum of `size` columns takes.
  static std::size_t bytes(std::size_t size) {
    return step * class_of(size) * (sizeof(Value) + sizeof(std::uint32_t));
  }

 private:
  /// Memory is given out in multiples of this.
  static constexpr std::uint32_t step = 32;
  static std::uint32_t class_of(std::size_t size) {
    return static_cast<std::uint32_t>((size + step - 1) / step);
  }

  struct Kept {
    ColumnSum<Value> sum;
    std::uint32_t block = 0;  ///< which had it last
  };
  std::uint32_t block_ = 0;  ///< how many there were
  std::vector<Kept> sums_;   ///< per vertex as numbered in the rows
  RowMemory<Value> values_;
  RowMemory<std::uint32_t> columns_;
};

}  // namespace espalier
