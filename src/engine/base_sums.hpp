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

/// The value of two matching nodes whose children do not match. Where leaves have a value of their
/// own, the sum over pairs is inner times the pairs of inner nodes plus leaf times the others: a
/// difference of two values would cancel.
template <class Value>
struct BaseValues {
  /// `of_leaf` is the value if one of the two is a leaf.
  BaseValues(const Value& of_inner, const Value& of_leaf)
      : all(of_inner), inner(0), leaf(0), leaves_differ(!(of_leaf == of_inner)) {
    if (!leaves_differ) return;
    if constexpr (requires { all.lane; }) {
      // A lane without a difference must have the same bits as a single setting.
      for (std::size_t s = 0; s < std::size(all.lane); ++s) {
        if (of_leaf.lane[s] != of_inner.lane[s])
          set(all.lane[s], inner.lane[s], leaf.lane[s], of_leaf.lane[s]);
      }
    } else {
      set(all, inner, leaf, of_leaf);
    }
  }

  /// Over `pairs`, of which so many are of inner nodes.
  template <class Number>
  Value sum(Number pairs, Number of_inner) const {
    const auto any = static_cast<double>(pairs);
    const auto both = static_cast<double>(of_inner);
    return inner * Value(both) + leaf * Value(any - both) + all * Value(any);
  }

  // Factors of numbers of pairs:
  Value all;           ///< of any two nodes
  Value inner;         ///< of two inner nodes
  Value leaf;          ///< of nodes of which one is a leaf
  bool leaves_differ;  ///< in some lane

 private:
  template <class Number>
  static void set(Number& all, Number& inner, Number& leaf, const Number& of_leaf) {
    inner = std::exchange(all, Number(0));
    leaf = of_leaf;
  }
};

/// Counts the pairs of nodes with equal keys. Integer counts: their sums are exact in any order.
template <class Number>
class PairCounts {
 public:
  explicit PairCounts(const KeyCounts& rows)
      : all_rows_(rows.all, {}, true), inner_rows_(rows.inner, {}, true) {}

  void build(const KeyCounts& columns, Slice slice, bool with_inner) {
    own_all_.build(columns.all, slice);
    if (with_inner) own_inner_.build(columns.inner, slice);
    use(own_all_, own_inner_);
  }
  void use(const NumberColumns<Number>& all, const NumberColumns<Number>& inner) {
    all_columns_ = &all;
    inner_columns_ = &inner;
  }

  /// Counts of row i, one per column.
  const Number* all(std::size_t i) { return count(all_rows_, i, *all_columns_, all_); }
  const Number* inner(std::size_t i) { return count(inner_rows_, i, *inner_columns_, inner_); }

 private:
  using Product = FeatureProduct<Number, Number>;

  static const Number* count(const Product& rows, std::size_t i,
                             const NumberColumns<Number>& columns, std::vector<Number>& out) {
    out.resize(columns.slice().size());
    rows.set_row(i, columns, out.data());
    return out.data();
  }

  Product all_rows_;
  Product inner_rows_;
  NumberColumns<Number> own_all_;
  NumberColumns<Number> own_inner_;
  const NumberColumns<Number>* all_columns_ = nullptr;
  const NumberColumns<Number>* inner_columns_ = nullptr;
  std::vector<Number> all_;
  std::vector<Number> inner_;
};

/// Computes the sum of base values over all pairs of nodes with equal keys.
template <class V>
class BaseSums {
 public:
  using Value = V;

  /// `prepared` is an inverted index of all columns, or null.
  BaseSums(const KeyCounts& rows, const KeyCounts& columns, const BaseValues<Value>& base,
           const KeyColumns* prepared)
      : short_(rows),
        long_(rows),
        columns_(columns),
        prepared_(prepared),
        base_(base),
        largest_row_(prepared == nullptr ? largest_sum(rows.all) : 0) {}

  void start(Slice, Slice columns) {
    size_ = columns.size();
    if (prepared_ != nullptr) {
      if (prepared_->all.slice() != columns) {
        throw std::logic_error("columns were prepared all together");
      }
      long_.use(prepared_->all, prepared_->inner);
      return;
    }
    // There are no more inner nodes than nodes.
    are_short_ = FastPaths::used().short_counts &&
                 largest_row_ * largest_value(columns_.all, columns) <= most_short;
    if (are_short_) {
      short_.build(columns_, columns, base_.leaves_differ);
    } else {
      long_.build(columns_, columns, base_.leaves_differ);
    }
  }

  /// Overwrites `out` with these rows of the block.
  void set_rows(Slice rows, BlockView<Value> out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (are_short_) {
        set_row(short_, rows.begin + i, out.row(i));
      } else {
        set_row(long_, rows.begin + i, out.row(i));
      }
    }
  }

  std::size_t bytes(Slice, Slice columns) const {
    const auto begin = columns_.all.begins();
    return prepared_ != nullptr ? 0 : 48 * (begin[columns.end] - begin[columns.begin]);
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

  template <class Number>
  void set_row(PairCounts<Number>& counts, std::size_t i, Value* out) {
    const Number* const all = counts.all(i);
    if (!base_.leaves_differ) {
      multiply(base_.all, all, size_, out);
      return;
    }
    multiply(base_, all, counts.inner(i), size_, out);
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

  template <class Number>
  ESPALIER_SIMD static void multiply(const BaseValues<double>& base, const Number* all,
                                     const Number* inner, std::size_t size, double* out) {
    for (std::size_t j = 0; j < size; ++j) out[j] = base.sum(all[j], inner[j]);
  }
  template <class Number, class Other>
  ESPALIER_LANE_LOOP static void multiply(const BaseValues<Other>& base, const Number* all,
                                          const Number* inner, std::size_t size, Other* out) {
    for (std::size_t j = 0; j < size; ++j) out[j] = base.sum(all[j], inner[j]);
  }

  PairCounts<Short> short_;
  PairCounts<double> long_;
  const KeyCounts& columns_;
  const KeyColumns* prepared_;  ///< or null
  BaseValues<Value> base_;
  double largest_row_;
  bool are_short_ = false;  ///< whether the counts of the block fit 16 bits
  std::size_t size_ = 0;    ///< number of columns of the block
};

}  // namespace espalier
