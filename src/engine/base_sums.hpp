#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/simd.hpp"
#include "engine/fast_paths.hpp"
#include "engine/key_counts.hpp"

namespace espalier {

/// Computes the sum of base values over all pairs of nodes with equal keys. A base value is that of
/// two matching nodes whose children do not match. Where leaves have a value of their own, the sum
/// is inner times the pairs of inner nodes plus leaf times the others: a difference of two values
/// would cancel.
template <class V>
class BaseSums {
 public:
  using Value = V;

  /// `of_leaf` is the value if one of the two is a leaf; `prepared` is an inverted index of all
  /// columns, or null.
  BaseSums(const KeyCounts& rows, const KeyCounts& columns, const Value& of_inner,
           const Value& of_leaf, const KeyColumns<double>* prepared)
      : rows_(rows),
        columns_(columns),
        prepared_(prepared),
        largest_row_(prepared == nullptr ? largest_sum(rows.all) : 0),
        all_(of_inner),
        inner_(0),
        leaf_(0),
        leaves_differ_(!(of_leaf == of_inner)) {
    if (!leaves_differ_) return;
    if constexpr (requires { all_.lane; }) {
      // A lane without a difference must have the same bits as a single setting.
      for (std::size_t s = 0; s < std::size(all_.lane); ++s) {
        if (of_leaf.lane[s] == of_inner.lane[s]) continue;
        inner_.lane[s] = std::exchange(all_.lane[s], 0);
        leaf_.lane[s] = of_leaf.lane[s];
      }
    } else {
      inner_ = std::exchange(all_, Value(0));
      leaf_ = of_leaf;
    }
  }

  void start(Slice, Slice columns) {
    size_ = columns.size();
    if (prepared_ != nullptr) {
      if (prepared_->all.slice() != columns) {
        throw std::logic_error("columns were prepared all together");
      }
      return;
    }
    // There are no more inner nodes than nodes.
    are_short_ = FastPaths::used().short_counts &&
                 largest_row_ * largest_value(columns_.all, columns) <= most_short;
    if (are_short_) {
      short_.build(columns_, columns, leaves_differ_);
    } else {
      long_.build(columns_, columns, leaves_differ_);
    }
  }

  /// Overwrites `out` with these rows of the block.
  void set_rows(Slice rows, BlockView<Value> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (are_short_) {
        set_row(rows.begin + i, short_, short_counts_, out.row(i));
      } else {
        set_row(rows.begin + i, prepared_ != nullptr ? *prepared_ : long_, long_counts_,
                out.row(i));
      }
    }
  }

  std::size_t bytes(Slice, Slice columns) const {
    return prepared_ != nullptr ? 0 : FeatureColumns<double>::bytes(columns_.all, columns);
  }

 private:
  using Short = std::uint16_t;
  static constexpr double most_short = std::numeric_limits<Short>::max();

  /// The largest sum of counts in an example; infinite if the counts are not integers, as in a
  /// model.
  static double largest_sum(const SparseMatrix& counts) {
    double largest = 0;
    for (std::size_t i = 0; i < counts.rows(); ++i) {
      double sum = 0;
      for (std::uint64_t at = counts.begins()[i]; at < counts.begins()[i + 1]; ++at) {
        sum += whole(counts.all_values()[at]);
      }
      largest = std::max(largest, sum);
    }
    return largest;
  }
  static double largest_value(const SparseMatrix& counts, Slice slice) {
    double largest = 0;
    for (std::uint64_t at = counts.begins()[slice.begin]; at < counts.begins()[slice.end]; ++at) {
      largest = std::max(largest, whole(counts.all_values()[at]));
    }
    return largest;
  }
  static double whole(double count) {
    return count >= 0 && std::floor(count) == count ? count : HUGE_VAL;
  }

  /// Integer counts of pairs: their sums are exact in any order.
  template <class Number>
  void set_row(std::size_t i, const KeyColumns<Number>& columns, std::vector<Number>& counts,
               Value* out) {
    counts.resize(2 * size_);
    Number* const all = counts.data();
    feature_product<Number>(rows_.all, i, {}, columns.all, all, true);
    if (!leaves_differ_) {
      multiply(all_, all, size_, out);
      return;
    }
    Number* const inner = all + size_;
    feature_product<Number>(rows_.inner, i, {}, columns.inner, inner, true);
    combine(all_, inner_, leaf_, all, inner, size_, out);
  }
  template <class Number>
  ESPALIER_SIMD static void multiply(double base, const Number* counts, std::size_t size,
                                     double* out) {
    for (std::size_t j = 0; j < size; ++j) out[j] = base * static_cast<double>(counts[j]);
  }
  template <class Number, class Other>
  ESPALIER_LANE_LOOP static void multiply(const Other& base, const Number* counts, std::size_t size,
                                          Other* out) {
    for (std::size_t j = 0; j < size; ++j) out[j] = base * Other(static_cast<double>(counts[j]));
  }

  /// Over `any` pairs, of which `both` are of inner nodes.
  template <class Other>
  ESPALIER_INLINE static Other sum(const Other& all, const Other& inner, const Other& leaf,
                                   double any, double both) {
    return inner * Other(both) + leaf * Other(any - both) + all * Other(any);
  }
  template <class Number>
  ESPALIER_SIMD static void combine(double all, double inner, double leaf, const Number* any,
                                    const Number* both, std::size_t size, double* out) {
    for (std::size_t j = 0; j < size; ++j) {
      out[j] = sum(all, inner, leaf, static_cast<double>(any[j]), static_cast<double>(both[j]));
    }
  }
  template <class Number, class Other>
  ESPALIER_LANE_LOOP static void combine(const Other& all, const Other& inner, const Other& leaf,
                                         const Number* any, const Number* both, std::size_t size,
                                         Other* out) {
    for (std::size_t j = 0; j < size; ++j) {
      out[j] = sum(all, inner, leaf, static_cast<double>(any[j]), static_cast<double>(both[j]));
    }
  }

  const KeyCounts& rows_;
  const KeyCounts& columns_;
  const KeyColumns<double>* prepared_;  ///< or null
  double largest_row_;
  KeyColumns<Short> short_;
  KeyColumns<double> long_;
  std::vector<Short> short_counts_;  ///< of a row
  std::vector<double> long_counts_;
  bool are_short_ = false;  ///< whether the counts of the block fit 16 bits
  std::size_t size_ = 0;    ///< number of columns of the block

  // Factors of numbers of pairs:
  Value all_;           ///< of any two nodes
  Value inner_;         ///< of two inner nodes
  Value leaf_;          ///< of nodes of which one is a leaf
  bool leaves_differ_;  ///< in some lane
};

}  // namespace espalier
