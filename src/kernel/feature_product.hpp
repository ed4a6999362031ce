#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
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
};

/// Columns turned round: for each feature those of a slice that have it.
class FeatureColumns {
 public:
  struct Entry {
    std::uint32_t column;  ///< counted from the begin of the slice
    double value;
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
        entries_[list.end++] = {column, columns.values[at]};
        if (list.dense != none) dense_[list.dense + column] = columns.values[at];
      }
    }
  }

  bool is_of(Slice slice) const { return built_ && slice == slice_; }
  /// Null if no column has the feature.
  const List* find(std::uint32_t feature) const {
    return feature < list_.size() && list_[feature] != none ? &lists_[list_[feature]] : nullptr;
  }
  std::span<const Entry> entries(const List& list) const {
    return {entries_.data() + list.begin, entries_.data() + list.end};
  }
  /// A value for each column of the slice.
  const double* dense(const List& list) const { return dense_.data() + list.dense; }

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
      // A quarter full: adding zeros in a row is faster than finding places.
      if (4 * size >= slice_.size()) {
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
  std::vector<double> dense_;
};

/// Computes blocks of out(i, j) += sum over features k of weight_k x_ik y_jk, in rising order of k,
/// whatever the block. Value is double, a Lanes or a Scaled; weights may be empty (all 1).
/// Not for several threads at once: each has its own.
template <class Value>
class FeatureProduct {
 public:
  /// `prepared` are the columns, all of them, turned round already; or null. Then `columns` are not
  /// looked at, and blocks have all columns.
  FeatureProduct(const Features& rows, const Features& columns, std::span<const Value> weights,
                 const FeatureColumns* prepared = nullptr)
      : rows_(rows), columns_(columns), weights_(weights), prepared_(prepared) {}

  void add_block(Slice rows, Slice columns, BlockView<Value> out) {
    const FeatureColumns& lists = turned_round(columns);
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      if (i % 64 == 0) check_cancelled();
      for (std::uint64_t at = rows_.begin[i]; at < rows_.begin[i + 1]; ++at) {
        const std::uint32_t feature = rows_.ids[at];
        const FeatureColumns::List* const list = lists.find(feature);
        if (list == nullptr) continue;
        const Value factor = weights_.empty() ? Value(rows_.values[at])
                                              : weights_[feature] * Value(rows_.values[at]);
        Value* const row = out.row(i - rows.begin);
        if (list->dense != none) {
          add_dense(row, factor, lists.dense(*list), columns.size());
        } else {
          for (const auto& e : lists.entries(*list)) row[e.column] += factor * Value(e.value);
        }
      }
    }
  }

 private:
  ESPALIER_SIMD static void add_dense(Value* row, Value factor, const double* values,
                                      std::size_t size) {
    for (std::size_t j = 0; j < size; ++j) row[j] += factor * Value(values[j]);
  }

  const FeatureColumns& turned_round(Slice columns) {
    if (prepared_ != nullptr) {
      if (!prepared_->is_of(columns)) throw std::logic_error("columns were prepared all together");
      return *prepared_;
    }
    own_.build(columns_, columns);
    return own_;
  }

  const Features& rows_;
  const Features& columns_;
  std::span<const Value> weights_;
  const FeatureColumns* prepared_;
  FeatureColumns own_;
};

}  // namespace espalier
