#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cancel.hpp"
#include "base/simd.hpp"
#include "engine/bags.hpp"
#include "espalier/base/sparse_matrix.hpp"

namespace espalier {

/// Inverted index of a slice of columns: for each feature, the columns that have it. Number must be
/// able to hold the values; narrow types process more of them per SIMD instruction.
template <class Number>
class NumberColumns {
 public:
  struct Entry {
    std::uint32_t column;  ///< relative to the start of the slice
    Number value;
  };
  /// Posting list of a feature.
  struct List {
    std::uint32_t feature;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t dense = none;  ///< offset of the dense form in dense_, if there is one
  };

  void build(const SparseMatrix& columns, Slice slice) {
    if (built_ && slice == slice_) return;
    for (const List& list : lists_) list_[list.feature] = none;
    lists_.clear();
    list_.resize(columns.columns(), none);
    slice_ = slice;
    built_ = true;
    count(columns);
    const std::size_t dense = lay_out();
    entries_.resize(lists_.empty() ? 0 : lists_.back().end);
    dense_.assign(dense, 0);
    for (List& list : lists_) list.end = list.begin;
    for (std::size_t j = slice.begin; j < slice.end; ++j) {
      for (std::uint64_t at = columns.begins()[j]; at < columns.begins()[j + 1]; ++at) {
        List& list = lists_[list_[columns.all_columns()[at]]];
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
    return feature < list_.size() && list_[feature] != none ? &lists_[list_[feature]] : nullptr;
  }
  std::span<const Entry> entries(const List& list) const {
    return {entries_.data() + list.begin, entries_.data() + list.end};
  }
  /// The dense form of a list: a value for each column of the slice.
  const Number* dense(const List& list) const { return dense_.data() + list.dense; }

 private:
  void count(const SparseMatrix& columns) {
    for (std::uint64_t at = columns.begins()[slice_.begin]; at < columns.begins()[slice_.end];
         ++at) {
      std::uint32_t& list = list_[columns.all_columns()[at]];
      if (list == none) {
        list = static_cast<std::uint32_t>(lists_.size());
        lists_.push_back({columns.all_columns()[at]});
      }
      ++lists_[list].end;
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
  std::vector<std::uint32_t> list_;  ///< per feature: index into lists_, or none
  std::vector<List> lists_;
  std::vector<Entry> entries_;
  std::vector<Number> dense_;
};

using FeatureColumns = NumberColumns<double>;

/// Computes rows of out(i, j) = sum over features k of weight_k x_ik y_jk, in ascending order of k,
/// independent of the other columns. Value is double, Lanes, Scaled or the Number of the columns;
/// empty weights mean all 1.
template <class Value, class Number = double>
class FeatureProduct {
 public:
  /// `whole`: values are integers, whose sums are exact in any order.
  FeatureProduct(const SparseMatrix& rows, std::span<const Value> weights, bool whole = false)
      : rows_(rows), weights_(weights), whole_(whole) {}

  void set_row(std::size_t i, const NumberColumns<Number>& columns, Value* out) const {
    check_cancelled();
    const std::size_t size = columns.slice().size();
    std::fill_n(out, size, Value(0));
    Dense dense;
    for (std::uint64_t at = rows_.begins()[i]; at < rows_.begins()[i + 1]; ++at) {
      const std::uint32_t feature = rows_.all_columns()[at];
      const auto* const list = columns.find(feature);
      if (list == nullptr) continue;
      const Value factor = weights_.empty() ? Value(rows_.all_values()[at])
                                            : weights_[feature] * Value(rows_.all_values()[at]);
      if (list->dense != none) {
        dense.factors[dense.count] = factor;
        dense.values[dense.count++] = columns.dense(*list);
        if (dense.count == most_dense) add(dense, size, out);
      } else {
        if (!whole_) add(dense, size, out);
        for (const auto& e : columns.entries(*list)) {
          out[e.column] = static_cast<Value>(out[e.column] + factor * Value(e.value));
        }
      }
    }
    add(dense, size, out);
  }

 private:
  static constexpr std::size_t most_dense = 4;
  /// Consecutive dense lists, added together in one pass over the row.
  struct Dense {
    std::size_t count = 0;
    Value factors[most_dense];
    const Number* values[most_dense];
  };

  static void add(Dense& dense, std::size_t size, Value* row) {
    if (dense.count == most_dense) {
      add_four(dense, size, row);
    } else {
      for (std::size_t d = 0; d < dense.count; ++d) {
        add_one(dense.factors[d], dense.values[d], size, row);
      }
    }
    dense.count = 0;
  }
  ESPALIER_SIMD static void add_one(Value factor, const Number* values, std::size_t size,
                                    Value* row) {
    for (std::size_t j = 0; j < size; ++j) {
      row[j] = static_cast<Value>(row[j] + factor * Value(values[j]));
    }
  }
  ESPALIER_SIMD static void add_four(const Dense& dense, std::size_t size, Value* row) {
    for (std::size_t j = 0; j < size; ++j) {
      Value sum = row[j];
      for (std::size_t d = 0; d < most_dense; ++d) {
        sum = static_cast<Value>(sum + dense.factors[d] * Value(dense.values[d][j]));
      }
      row[j] = sum;
    }
  }

  const SparseMatrix& rows_;
  std::span<const Value> weights_;
  bool whole_;
};

}  // namespace espalier
