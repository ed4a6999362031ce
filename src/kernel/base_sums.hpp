#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "kernel/key_counts.hpp"

namespace espalier {

/// D of two nodes as long as nothing is known but that they match.
template <class Value>
struct BaseValues {
  Value inner;
  Value leaf;          ///< when one of the two is a leaf
  bool equal = false;  ///< whether the two are the same in all lanes
};

/// Computes the sum of base values over all pairs of nodes with equal keys.
template <class V>
class BaseSums {
 public:
  using Value = V;

  /// `prepared` are the columns, turned round already; or null.
  BaseSums(const KeyCounts& rows, const KeyCounts& columns, const BaseValues<Value>& base,
           const KeyColumns* prepared)
      : all_(rows.all, {}, true),
        inner_(rows.inner, {}, true),
        columns_(columns),
        prepared_(prepared),
        base_(base) {}

  void start(Slice, Slice columns) {
    if (prepared_ == nullptr) {
      own_.all.build(columns_.all, columns);
      if (!base_.equal) own_.inner.build(columns_.inner, columns);
    } else if (prepared_->all.slice() != columns) {
      throw std::logic_error("columns were prepared all together");
    }
  }

  /// Overwrites these rows of the block.
  void set_rows(Slice rows, BlockView<Value> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) set_row(rows.begin + i, out.row(i));
  }

  std::size_t bytes(Slice, Slice columns) const {
    const auto& begin = columns_.all.begin;
    return prepared_ != nullptr ? 0 : 48 * (begin[columns.end] - begin[columns.begin]);
  }

 private:
  /// Counts are whole numbers: their sums are exact in any order.
  void set_row(std::size_t i, Value* out) {
    const KeyColumns& columns = prepared_ != nullptr ? *prepared_ : own_;
    const std::size_t size = columns.all.slice().size();
    all_counts_.resize(size);
    all_.set_row(i, columns.all, all_counts_.data());
    if (base_.equal) {
      for (std::size_t j = 0; j < size; ++j) out[j] = base_.inner * Value(all_counts_[j]);
      return;
    }
    inner_counts_.resize(size);
    inner_.set_row(i, columns.inner, inner_counts_.data());
    const Value leaf_surplus = base_.leaf - base_.inner;
    for (std::size_t j = 0; j < size; ++j) {
      // In this form a lane whose two bases are equal gets the same bits as alone.
      const double with_leaf = all_counts_[j] - inner_counts_[j];
      out[j] = base_.inner * Value(all_counts_[j]) + leaf_surplus * Value(with_leaf);
    }
  }

  FeatureProduct<double> all_;
  FeatureProduct<double> inner_;
  const KeyCounts& columns_;
  const KeyColumns* prepared_;  ///< or null: then own_
  KeyColumns own_;
  BaseValues<Value> base_;
  std::vector<double> all_counts_;  ///< of a row
  std::vector<double> inner_counts_;
};

}  // namespace espalier
