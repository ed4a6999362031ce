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
};

/// Computes blocks of out(i, j) += sum over features k of weight_k x_ik y_jk, in rising order of k,
/// whatever the block. Value is double, a Lanes or a Scaled; weights may be empty (all 1).
/// Not for several threads at once: each has its own.
template <class Value>
class FeatureProduct {
 public:
  FeatureProduct(const Features& rows, const Features& columns, std::span<const Value> weights)
      : rows_(rows), columns_(columns), weights_(weights), list_(columns.count, none) {}

  void add_block(Slice rows, Slice columns, BlockView<Value> out) {
    index(columns);
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      if (i % 64 == 0) check_cancelled();
      for (std::uint64_t at = rows_.begin[i]; at < rows_.begin[i + 1]; ++at) {
        const std::uint32_t feature = rows_.ids[at];
        if (feature >= list_.size() || list_[feature] == none) continue;
        const List& list = lists_[list_[feature]];
        const Value factor = weights_.empty() ? Value(rows_.values[at])
                                              : weights_[feature] * Value(rows_.values[at]);
        Value* const row = out.row(i - rows.begin);
        if (list.dense != none) {
          add_dense(row, factor, dense_.data() + list.dense, columns.size());
        } else {
          add_sparse(row, factor, list);
        }
      }
    }
  }

 private:
  struct Entry {
    std::uint32_t column;
    double value;
  };
  /// The columns that have a feature.
  struct List {
    std::uint32_t feature;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t dense = none;  ///< where they stand in full in dense_, if they are many
  };

  ESPALIER_SIMD static void add_dense(Value* row, Value factor, const double* values,
                                      std::size_t size) {
    for (std::size_t j = 0; j < size; ++j) row[j] += factor * Value(values[j]);
  }
  void add_sparse(Value* row, const Value& factor, const List& list) const {
    for (std::uint32_t e = list.begin; e < list.end; ++e) {
      row[entries_[e].column] += factor * Value(entries_[e].value);
    }
  }

  /// Turns the columns round: for each feature the columns that have it.
  void index(Slice columns) {
    if (columns == indexed_) return;
    for (const List& list : lists_) list_[list.feature] = none;
    lists_.clear();
    indexed_ = columns;
    const std::uint64_t first = columns_.begin[columns.begin];
    const std::uint64_t last = columns_.begin[columns.end];
    for (std::uint64_t at = first; at < last; ++at) {
      std::uint32_t& list = list_[columns_.ids[at]];
      if (list == none) {
        list = static_cast<std::uint32_t>(lists_.size());
        lists_.push_back({columns_.ids[at]});
      }
      ++lists_[list].end;
    }
    std::uint32_t total = 0;
    std::uint32_t dense = 0;
    for (List& list : lists_) {
      const std::uint32_t size = list.end;
      list.begin = list.end = total;
      total += size;
      // A quarter full: adding zeros in a row is faster than finding places.
      if (4 * size >= columns.size()) {
        list.dense = dense;
        dense += static_cast<std::uint32_t>(columns.size());
      }
    }
    entries_.resize(total);
    dense_.assign(dense, 0);
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      for (std::uint64_t at = columns_.begin[j]; at < columns_.begin[j + 1]; ++at) {
        List& list = lists_[list_[columns_.ids[at]]];
        const auto column = static_cast<std::uint32_t>(j - columns.begin);
        entries_[list.end++] = {column, columns_.values[at]};
        if (list.dense != none) dense_[list.dense + column] = columns_.values[at];
      }
    }
  }

  const Features& rows_;
  const Features& columns_;
  std::span<const Value> weights_;
  Slice indexed_;                    ///< the columns that what follows belongs to
  std::vector<std::uint32_t> list_;  ///< per feature: which of lists_, or none
  std::vector<List> lists_;
  std::vector<Entry> entries_;
  std::vector<double> dense_;
};

}  // namespace espalier
