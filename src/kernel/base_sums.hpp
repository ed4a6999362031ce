#pragma once

#include <algorithm>
#include <type_traits>
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

/// Computes blocks of the sum of base values over all pairs of nodes with equal keys.
template <class V>
class BaseSums {
 public:
  using Value = V;

  /// `prepared` are the columns, turned round already; or null.
  BaseSums(const KeyCounts& rows, const KeyCounts& columns, const BaseValues<Value>& base,
           const KeyColumns* prepared)
      : all_(rows.all, columns.all, {}, prepared != nullptr ? &prepared->all : nullptr),
        inner_(rows.inner, columns.inner, {}, prepared != nullptr ? &prepared->inner : nullptr),
        base_(base) {}

  /// Overwrites the block.
  void set_block(Slice rows, Slice columns, BlockView<Value> out) {
    // Counts are whole numbers: their sums are exact in any order.
    if constexpr (std::is_same_v<Value, double>) {
      if (base_.equal) {
        set_equal(rows, columns, out);
        return;
      }
    }
    const std::size_t size = rows.size() * columns.size();
    all_counts_.assign(size, 0);
    all_.add_block(rows, columns, {all_counts_.data(), columns.size()});
    if (!base_.equal) {
      inner_counts_.assign(size, 0);
      inner_.add_block(rows, columns, {inner_counts_.data(), columns.size()});
    }
    for (std::size_t i = 0; i < rows.size(); ++i) set_row(out.row(i), i * columns.size(), columns);
  }

  std::size_t bytes(Slice rows, Slice columns) const {
    return rows.size() * columns.size() * sizeof(double) * (base_.equal ? 1 : 2);
  }

 private:
  /// The ordinary case, without a detour.
  void set_equal(Slice rows, Slice columns, BlockView<double> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) std::fill_n(out.row(i), columns.size(), 0.0);
    all_.add_block(rows, columns, out);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double* const row = out.row(i);
      for (std::size_t j = 0; j < columns.size(); ++j) row[j] = base_.inner * row[j];
    }
  }

  void set_row(Value* out, std::size_t at, Slice columns) const {
    const Value leaf_surplus = base_.leaf - base_.inner;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double all = all_counts_[at + j];
      if (base_.equal) {
        out[j] = base_.inner * Value(all);
      } else {
        // In this form a lane whose two bases are equal gets the same bits as alone.
        const double with_leaf = all - inner_counts_[at + j];
        out[j] = base_.inner * Value(all) + leaf_surplus * Value(with_leaf);
      }
    }
  }

  FeatureProduct<double> all_;
  FeatureProduct<double> inner_;
  BaseValues<Value> base_;
  std::vector<double> all_counts_;
  std::vector<double> inner_counts_;
};

}  // namespace espalier
