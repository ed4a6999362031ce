#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/cancel.hpp"
#include "engine/partial_tree/run_joins.hpp"
#include "engine/partial_tree/subsequence_parameters.hpp"

namespace espalier {

/// S of two sequences of children: the sum over all pairs of subsequences of equal length whose
/// children match pairwise, of decay^(children skipped inside) * product of D.
///
/// With acc(a,b) the part of the sum in which the pair (a,b) comes last,
///     acc(a,b) = D(a,b) * (1 + step * sum over a' < a, b' < b of
///                                     decay^((a-a'-1) + (b-b'-1)) acc(a',b'))
/// which needs only the pairs that match. Where these are many, SubsequenceTable is cheaper.
///
/// Several columns with the same matches are computed side by side: value x * width + k belongs to
/// match x in column k.
template <class Value>
class SubsequenceSum {
 public:
  explicit SubsequenceSum(const PartialTreeParameters<Value>& parameters) : p_(parameters) {
    powers_ = {Value(0), Value(1)};
  }

  /// `matches` are in ascending order of a, then of b; there are m and n children; d are the values
  /// D of the matches. Writes S to `out`, one per column.
  void operator()(std::span<const ChildMatch> matches, std::size_t m, std::size_t n, const Value* d,
                  std::size_t width, Value* out) {
    const std::size_t count = matches.size();
    std::fill(out, out + width, Value(0));
    if (acc_.size() < count * width) acc_.resize(count * width);
    inside_.resize(width);
    if (p_.is_whole(m, n)) {
      add_whole(matches, d, width, out);
      return;
    }
    std::copy_n(d, count * width, acc_.data());
    for (std::size_t x = 0; x < count; ++x) add(d + x * width, width, out);
    for (std::size_t length = 2; length <= p_.max_length; ++length) {
      add_longer(matches, d, width, out);
    }
  }

  /// S of one column without a limit on the length, with the same bits as above. Faster for few
  /// columns.
  Value whole(std::span<const ChildMatch> matches, std::size_t m, std::size_t n, const Value* d) {
    if (acc_.size() < matches.size()) acc_.resize(matches.size());
    grow_powers(m + n);
    const Value* const powers = powers_.data();
    Value* const acc = acc_.data();
    Value sum(0);
    for (std::size_t x = 0; x < matches.size(); ++x) {
      if (x % matches_between_checks == matches_between_checks - 1) check_cancelled();
      Value inside(0);
      for (std::size_t y = 0; y < x; ++y) {
        // Branchless: a branch would be unpredictable.
        const bool counts = before(matches[y], matches[x]);
        inside += powers[counts ? 1 + skips(matches[y], matches[x]) : 0] * acc[y];
      }
      acc[x] = d[x] * (Value(1) + p_.step * inside);
      sum += acc[x];
    }
    return sum;
  }

  /// The weight of the subsequence of these two matches; `shorter` is the smaller number of
  /// children.
  Value weight_of_both(const ChildMatch& first, const ChildMatch& second, std::size_t shorter) {
    const bool capped = p_.max_length == 1 && shorter > 1;
    if (capped || !before(first, second)) return Value(0);
    return p_.step * skipped(first, second);
  }

 private:
  static constexpr std::size_t matches_between_checks = 256;

  static bool before(const ChildMatch& y, const ChildMatch& x) { return (y.a < x.a) & (y.b < x.b); }
  static std::size_t skips(const ChildMatch& y, const ChildMatch& x) {
    return (x.a - y.a - 1) + (x.b - y.b - 1);
  }

  /// Computes the powers for up to `most` skipped children.
  void grow_powers(std::size_t most) {
    while (powers_.size() <= 1 + most) powers_.push_back(powers_.back() * p_.decay);
  }
  const Value& skipped(const ChildMatch& y, const ChildMatch& x) {
    grow_powers(skips(y, x));
    return powers_[1 + skips(y, x)];
  }

  static void add(const Value* from, std::size_t width, Value* out) {
    for (std::size_t k = 0; k < width; ++k) out[k] += from[k];
  }

  /// Sets inside_ to the sum over the matches before x of decay^skipped * acc.
  void sum_before(std::span<const ChildMatch> matches, std::size_t x, std::size_t width) {
    if (x % matches_between_checks == matches_between_checks - 1) check_cancelled();
    std::fill(inside_.begin(), inside_.end(), Value(0));
    for (std::size_t y = 0; y < x; ++y) {
      if (!before(matches[y], matches[x])) continue;
      const Value weight = skipped(matches[y], matches[x]);
      const Value* const acc = acc_.data() + y * width;
      for (std::size_t k = 0; k < width; ++k) inside_[k] += weight * acc[k];
    }
  }

  void add_whole(std::span<const ChildMatch> matches, const Value* d, std::size_t width,
                 Value* out) {
    for (std::size_t x = 0; x < matches.size(); ++x) {
      sum_before(matches, x, width);
      Value* const acc = acc_.data() + x * width;
      for (std::size_t k = 0; k < width; ++k) {
        acc[k] = d[x * width + k] * (Value(1) + p_.step * inside_[k]);
      }
      add(acc, width, out);
    }
  }

  /// Advances acc_ from one length to the next.
  void add_longer(std::span<const ChildMatch> matches, const Value* d, std::size_t width,
                  Value* out) {
    // Backwards, so that values of the previous length are read.
    for (std::size_t x = matches.size(); x-- > 0;) {
      sum_before(matches, x, width);
      Value* const acc = acc_.data() + x * width;
      for (std::size_t k = 0; k < width; ++k) acc[k] = d[x * width + k] * p_.step * inside_[k];
      add(acc, width, out);
    }
  }

  PartialTreeParameters<Value> p_;
  std::vector<Value> powers_;  ///< 0, then the powers of decay, from 1 on
  std::vector<Value> acc_;
  std::vector<Value> inside_;
};

}  // namespace espalier
