#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cancel.hpp"
#include "base/simd.hpp"
#include "kernel/bags.hpp"

namespace espalier {

/// Sparse vectors of numbered features, one for each example: compressed sparse rows.
struct Features {
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> ids;  ///< rising within an example
  std::vector<double> values;
  std::size_t count = 0;  ///< ids are below

  std::size_t size() const { return begin.size() - 1; }
  void add(std::uint32_t id, double value) {
    ids.push_back(id);
    values.push_back(value);
  }
  void finish_example() { begin.push_back(ids.size()); }
  friend bool operator==(const Features&, const Features&) = default;
};

/// Columns turned round: for each feature those of a slice that have it. Number must hold their
/// values: short ones go through the processor more at a time.
template <class Number>
class NumberColumns {
 public:
  struct Entry {
    std::uint32_t column;  ///< counted from the begin of the slice
    Number value;
  };
  /// The columns that have a feature.
  struct List {
    std::uint32_t feature;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t dense = none;  ///< where they stand in full, if they are many
  };

  void build(const Features& columns, Slice slice) {
    if (built_ && slice == slice_) return;
    for (const List& list : lists_) list_[list.feature] = none;
    lists_.clear();
    list_.resize(columns.count, none);
    slice_ = slice;
    built_ = true;
    count(columns);
    const std::size_t dense = lay_out();
    entries_.resize(lists_.empty() ? 0 : lists_.back().end);
    dense_.assign(dense, 0);
    for (List& list : lists_) list.end = list.begin;
    for (std::size_t j = slice.begin; j < slice.end; ++j) {
      for (std::uint64_t at = columns.begin[j]; at < columns.begin[j + 1]; ++at) {
        List& list = lists_[list_[columns.ids[at]]];
        const auto column = static_cast<std::uint32_t>(j - slice.begin);
        const auto value = static_cast<Number>(columns.values[at]);
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
  /// A value for each column of the slice.
  const Number* dense(const List& list) const { return dense_.data() + list.dense; }

 private:
  void count(const Features& columns) {
    for (std::uint64_t at = columns.begin[slice_.begin]; at < columns.begin[slice_.end]; ++at) {
      std::uint32_t& list = list_[columns.ids[at]];
      if (list == none) {
        list = static_cast<std::uint32_t>(lists_.size());
        lists_.push_back({columns.ids[at]});
      }
      ++lists_[list].end;
    }
  }

  /// From how many there are to where they stand; how many numbers stand in full.
  std::size_t lay_out() {
    std::uint32_t total = 0;
    std::uint32_t dense = 0;
    for (List& list : lists_) {
      const std::uint32_t size = list.end;
      list.begin = total;
      list.end = total += size;
      // An eighth full, if they are doubles: adding zeros in a row is faster than finding places.
      if (64 / sizeof(Number) * size >= slice_.size()) {
        list.dense = dense;
        dense += static_cast<std::uint32_t>(slice_.size());
      }
    }
    return dense;
  }

  bool built_ = false;
  Slice slice_;
  std::vector<std::uint32_t> list_;  ///< per feature: which of lists_, or none
  std::vector<List> lists_;
  std::vector<Entry> entries_;
  std::vector<Number> dense_;
};

using FeatureColumns = NumberColumns<double>;

/// Computes rows of out(i, j) = sum over features k of weight_k x_ik y_jk, in rising order of k,
/// whatever the columns. Value is double, a Lanes or a Scaled, or what columns have; weights may be
/// empty (all 1).
template <class Value, class Number = double>
class FeatureProduct {
 public:
  /// `whole`: values are whole numbers, whose sums are exact in any order.
  FeatureProduct(const Features& rows, std::span<const Value> weights, bool whole = false)
      : rows_(rows), weights_(weights), whole_(whole) {}

  void set_row(std::size_t i, const NumberColumns<Number>& columns, Value* out) const {
    check_cancelled();
    const std::size_t size = columns.slice().size();
    std::fill_n(out, size, Value(0));
    Dense dense;
    for (std::uint64_t at = rows_.begin[i]; at < rows_.begin[i + 1]; ++at) {
      const std::uint32_t feature = rows_.ids[at];
      const auto* const list = columns.find(feature);
      if (list == nullptr) continue;
      const Value factor =
          weights_.empty() ? Value(rows_.values[at]) : weights_[feature] * Value(rows_.values[at]);
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
  /// Lists that come one after the other.
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

  const Features& rows_;
  std::span<const Value> weights_;
  bool whole_;
};

}  // namespace espalier
