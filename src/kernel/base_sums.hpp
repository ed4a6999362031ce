#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/simd.hpp"
#include "kernel/key_counts.hpp"

namespace espalier {

/// What two nodes are worth as long as nothing is known but that they match: `each`, and `more` for
/// some of them.
template <class Value>
struct BaseValues {
  enum class For {
    nobody,
    some,  ///< if both are among KeyCounts::some
    rest,  ///< if one of them is not
  };
  Value each;
  Value more = Value(0);
  For more_for = For::nobody;

  /// For pairs in which it counts whether one of the two is a leaf; unless that is the same in all
  /// lanes.
  static BaseValues of_leaves(const Value& inner, const Value& leaf, bool equal) {
    return {inner, leaf - inner, equal ? For::nobody : For::rest};
  }
};

/// Counts the pairs of nodes with equal keys, in whole numbers: their sums are exact in any order.
template <class Number>
class PairCounts {
 public:
  explicit PairCounts(const KeyCounts& rows)
      : all_rows_(rows.all, {}, true), some_rows_(rows.some, {}, true) {}

  void build(const KeyCounts& columns, Slice slice, bool with_some) {
    own_all_.build(columns.all, slice);
    if (with_some) own_some_.build(columns.some, slice);
    use(own_all_, own_some_);
  }
  void use(const NumberColumns<Number>& all, const NumberColumns<Number>& some) {
    all_columns_ = &all;
    some_columns_ = &some;
  }

  /// Of row i: one number for each column.
  const Number* all(std::size_t i) { return count(all_rows_, i, *all_columns_, all_); }
  const Number* some(std::size_t i) { return count(some_rows_, i, *some_columns_, some_); }

 private:
  using Product = FeatureProduct<Number, Number>;

  static const Number* count(const Product& rows, std::size_t i,
                             const NumberColumns<Number>& columns, std::vector<Number>& out) {
    out.resize(columns.slice().size());
    rows.set_row(i, columns, out.data());
    return out.data();
  }

  Product all_rows_;
  Product some_rows_;
  NumberColumns<Number> own_all_;
  NumberColumns<Number> own_some_;
  const NumberColumns<Number>* all_columns_ = nullptr;
  const NumberColumns<Number>* some_columns_ = nullptr;
  std::vector<Number> all_;
  std::vector<Number> some_;
};

/// Computes the sum of base values over all pairs of nodes with equal keys.
template <class V>
class BaseSums {
 public:
  using Value = V;

  /// `prepared` are the columns, turned round already; or null.
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
      long_.use(prepared_->all, prepared_->some);
      return;
    }
    // Some are not more than all.
    are_short_ = largest_row_ * largest_value(columns_.all, columns) <= most_short;
    const bool with_some = base_.more_for != For::nobody;
    if (are_short_) {
      short_.build(columns_, columns, with_some);
    } else {
      long_.build(columns_, columns, with_some);
    }
  }

  /// Overwrites these rows of the block.
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
    const auto& begin = columns_.all.begin;
    return prepared_ != nullptr ? 0 : 48 * (begin[columns.end] - begin[columns.begin]);
  }

 private:
  using For = typename BaseValues<Value>::For;
  using Short = std::uint16_t;
  static constexpr double most_short = std::numeric_limits<Short>::max();

  /// The largest sum of counts in an example; infinite if these are no whole numbers, as in a
  /// model.
  static double largest_sum(const Features& counts) {
    double largest = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      double sum = 0;
      for (std::uint64_t at = counts.begin[i]; at < counts.begin[i + 1]; ++at) {
        sum += whole(counts.values[at]);
      }
      largest = std::max(largest, sum);
    }
    return largest;
  }
  static double largest_value(const Features& counts, Slice slice) {
    double largest = 0;
    for (std::uint64_t at = counts.begin[slice.begin]; at < counts.begin[slice.end]; ++at) {
      largest = std::max(largest, whole(counts.values[at]));
    }
    return largest;
  }
  static double whole(double count) {
    return count >= 0 && std::floor(count) == count ? count : HUGE_VAL;
  }

  template <class Number>
  void set_row(PairCounts<Number>& counts, std::size_t i, Value* out) {
    const Number* const all = counts.all(i);
    if (base_.more_for == For::nobody) {
      multiply(base_.each, all, size_, out);
    } else if (base_.more_for == For::some) {
      multiply(base_.each, all, base_.more, counts.some(i), size_, out);
    } else {
      const Number* const some = counts.some(i);
      rest_.resize(size_);
      for (std::size_t j = 0; j < size_; ++j) {
        rest_[j] = static_cast<double>(all[j]) - static_cast<double>(some[j]);
      }
      // In this form a lane that has no more for leaves gets the same bits as alone.
      multiply(base_.each, all, base_.more, rest_.data(), size_, out);
    }
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

  /// The sum of two products.
  template <class First, class Second>
  ESPALIER_SIMD static void multiply(double each, const First* all, double more, const Second* some,
                                     std::size_t size, double* out) {
    for (std::size_t j = 0; j < size; ++j) {
      out[j] = each * static_cast<double>(all[j]) + more * static_cast<double>(some[j]);
    }
  }
  template <class First, class Second, class Other>
  ESPALIER_LANE_LOOP static void multiply(const Other& each, const First* all, const Other& more,
                                          const Second* some, std::size_t size, Other* out) {
    for (std::size_t j = 0; j < size; ++j) {
      out[j] =
          each * Other(static_cast<double>(all[j])) + more * Other(static_cast<double>(some[j]));
    }
  }

  PairCounts<Short> short_;
  PairCounts<double> long_;
  const KeyCounts& columns_;
  const KeyColumns* prepared_;  ///< or null
  BaseValues<Value> base_;
  double largest_row_;
  bool are_short_ = false;  ///< whether the counts of the block are
  std::size_t size_ = 0;    ///< columns of the block
  std::vector<double> rest_;
};

}  // namespace espalier
