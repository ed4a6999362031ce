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
  /// Posting list of a feature.
  struct List {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t dense = none;  ///< offset of the dense form in dense_, if there is one
  };

  void build(const SparseMatrix& columns, Slice slice) {
    if (built_ && slice == slice_) return;
    features_.start(columns.columns());
    lists_.clear();
    slice_ = slice;
    built_ = true;
    count(columns);
    const std::size_t dense = lay_out();
    entries_.resize(lists_.empty() ? 0 : lists_.back().end);
    dense_.assign(dense, 0);
    for (List& list : lists_) list.end = list.begin;
    for (std::size_t j = slice.begin; j < slice.end; ++j) {
      for (std::uint64_t at = columns.begins()[j]; at < columns.begins()[j + 1]; ++at) {
        List& list = lists_[features_.of(columns.all_columns()[at])];
        const auto column = static_cast<std::uint32_t>(j - slice.begin);
        const auto value = static_cast<Number>(columns.all_values()[at]);
        entries_[list.end++] = {column, value};
        if (list.dense != none) dense_[list.dense + column] = value;
      }
    }
  }

  Slice slice() const { return slice_; }
  /// Null if no column has the feature.
  const List* find(std::uint32_t feature) const {
    const std::uint32_t number = features_.of(feature);
    return number != none ? &lists_[number] : nullptr;
  }
  /// Columns, relative to the start of the slice.
  std::span<const SparseEntry<Number>> entries(const List& list) const {
    return {entries_.data() + list.begin, entries_.data() + list.end};
  }
  /// The dense form of a list: a value for each column of the slice.
  const Number* dense(const List& list) const { return dense_.data() + list.dense; }

  /// Upper bound on the memory for a slice in bytes.
  static std::size_t bytes(const SparseMatrix& columns, Slice slice) {
    return 48 * (columns.begins()[slice.end] - columns.begins()[slice.begin]);
  }

 private:
  void count(const SparseMatrix& columns) {
    for (std::uint64_t at = columns.begins()[slice_.begin]; at < columns.begins()[slice_.end];
         ++at) {
      const std::uint32_t number = features_.add(columns.all_columns()[at]);
      if (number == lists_.size()) lists_.emplace_back();
      ++lists_[number].end;
    }
  }

  /// Turns the lengths of lists into offsets. Returns the total size of the dense forms.
  std::size_t lay_out() {
    std::uint32_t total = 0;
    std::uint32_t dense = 0;
    for (List& list : lists_) {
      const std::uint32_t size = list.end;
      list.begin = total;
      list.end = total += size;
      // One eighth full, for doubles: adding zeros in sequence is faster than scattered access.
      if (64 / sizeof(Number) * size >= slice_.size()) {
        list.dense = dense;
        dense += static_cast<std::uint32_t>(slice_.size());
      }
    }
    return dense;
  }

  bool built_ = false;
  Slice slice_;
  Numbering features_;
  std::vector<List> lists_;  ///< per number of a feature
  std::vector<SparseEntry<Number>> entries_;
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
    const auto* const list = columns.find(feature);
    if (list == nullptr) continue;
    const Value factor = weights.empty() ? Value(rows.all_values()[at])
                                         : weights[feature] * Value(rows.all_values()[at]);
    if (list->dense != none) {
      factors[dense] = factor;
      values[dense++] = columns.dense(*list);
      if (dense == most_dense) add_dense();
    } else {
      if (!whole) add_dense();
      for (const auto& e : columns.entries(*list)) {
        out[e.index] = static_cast<Value>(out[e.index] + factor * Value(e.value));
      }
    }
  }
  add_dense();
}

}  // namespace espalier
