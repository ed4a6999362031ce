#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cancel.hpp"
#include "base/simd.hpp"
#include "engine/bags.hpp"
#include "engine/lists.hpp"
#include "espalier/base/sparse_matrix.hpp"

namespace espalier {

/// Inverted index of a slice of columns: for each feature, the columns that have it. Number must be
/// able to hold the values; narrow types process more of them per SIMD instruction.
template <class Number>
class FeatureColumns {
 public:
  void build(const SparseMatrix& columns, Slice slice) {
    if (built_ && slice == slice_) return;
    features_.start(columns.columns());
    slice_ = slice;
    built_ = true;
    const std::uint64_t begin = columns.begins()[slice.begin];
    const std::uint64_t end = columns.begins()[slice.end];
    for (std::uint64_t at = begin; at < end; ++at) features_.add(columns.all_columns()[at]);
    lists_.build(features_.size(), [&](auto&& visit) {
      for (std::size_t j = slice.begin; j < slice.end; ++j) {
        const auto column = static_cast<std::uint32_t>(j - slice.begin);
        for (std::uint64_t at = columns.begins()[j]; at < columns.begins()[j + 1]; ++at) {
          visit(features_.of(columns.all_columns()[at]),
                SparseEntry<Number>{column, static_cast<Number>(columns.all_values()[at])});
        }
      }
    });
    store_dense();
  }

  Slice slice() const { return slice_; }
  /// The number of a feature; none if no column has it.
  std::uint32_t find(std::uint32_t feature) const { return features_.of(feature); }
  /// The columns that have a feature of that number, relative to the start of the slice.
  std::span<const SparseEntry<Number>> entries(std::uint32_t number) const {
    return lists_.of(number);
  }
  /// The same in dense form, a value for each column of the slice; null if they are few.
  const Number* dense(std::uint32_t number) const {
    return dense_at_[number] == none ? nullptr : dense_.data() + dense_at_[number];
  }

  /// Upper bound on the memory for a slice in bytes.
  static std::size_t bytes(const SparseMatrix& columns, Slice slice) {
    return 48 * (columns.begins()[slice.end] - columns.begins()[slice.begin]);
  }

 private:
  void store_dense() {
    dense_at_.assign(lists_.size(), none);
    dense_.clear();
    for (std::uint32_t number = 0; number < lists_.size(); ++number) {
      // One eighth full, for doubles: adding zeros in sequence is faster than scattered access.
      if (64 / sizeof(Number) * entries(number).size() < slice_.size()) continue;
      const std::size_t first = dense_.size();
      dense_at_[number] = static_cast<std::uint32_t>(first);
      dense_.resize(first + slice_.size(), 0);
      for (const auto& entry : entries(number)) dense_[first + entry.index] = entry.value;
    }
  }

  bool built_ = false;
  Slice slice_;
  Numbering features_;
  // Per number of a feature:
  Lists<SparseEntry<Number>> lists_;
  std::vector<std::uint32_t> dense_at_;  ///< where its dense form begins, if it has one
  std::vector<Number> dense_;
};

/// row[j] += factor * values[j].
template <class Value, class Number>
ESPALIER_SIMD void add_dense_list(Value factor, const Number* values, std::size_t size,
                                  Value* row) {
  for (std::size_t j = 0; j < size; ++j) {
    row[j] = static_cast<Value>(row[j] + factor * Value(values[j]));
  }
}
/// The same for four lists, in one pass over the row.
template <class Value, class Number>
ESPALIER_SIMD void add_four_dense_lists(const Value* factors, const Number* const* values,
                                        std::size_t size, Value* row) {
  for (std::size_t j = 0; j < size; ++j) {
    Value sum = row[j];
    for (std::size_t d = 0; d < 4; ++d) {
      sum = static_cast<Value>(sum + factors[d] * Value(values[d][j]));
    }
    row[j] = sum;
  }
}

/// Overwrites out[j] with the sum over features k of weight_k x_ik y_jk, in ascending order of k,
/// independent of the other columns. Value is double, Scaled or the Number of the columns; empty
/// weights mean all 1. `whole`: values are integers, whose sums are exact in any order.
template <class Value, class Number>
void feature_product(const SparseMatrix& rows, std::size_t i, std::span<const Value> weights,
                     const FeatureColumns<Number>& columns, Value* out, bool whole = false) {
  check_cancelled();
  const std::size_t size = columns.slice().size();
  std::fill_n(out, size, Value(0));
  // Consecutive dense lists.
  constexpr std::size_t most_dense = 4;
  std::size_t dense = 0;
  Value factors[most_dense];
  const Number* values[most_dense];
  const auto add_dense = [&] {
    if (dense == most_dense) {
      add_four_dense_lists(factors, values, size, out);
    } else {
      for (std::size_t d = 0; d < dense; ++d) add_dense_list(factors[d], values[d], size, out);
    }
    dense = 0;
  };
  for (std::uint64_t at = rows.begins()[i]; at < rows.begins()[i + 1]; ++at) {
    const std::uint32_t feature = rows.all_columns()[at];
    const std::uint32_t number = columns.find(feature);
    if (number == none) continue;
    const Value factor = weights.empty() ? Value(rows.all_values()[at])
                                         : weights[feature] * Value(rows.all_values()[at]);
    if (const Number* const all = columns.dense(number)) {
      factors[dense] = factor;
      values[dense++] = all;
      if (dense == most_dense) add_dense();
    } else {
      if (!whole) add_dense();
      for (const auto& e : columns.entries(number)) {
        out[e.index] = static_cast<Value>(out[e.index] + factor * Value(e.value));
      }
    }
  }
  add_dense();
}

}  // namespace espalier
