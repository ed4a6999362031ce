#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/partial_tree/run_joins.hpp"

namespace espalier {

/// Parameters of D of two vertices with the same label, in terms of their children.
template <class Value>
struct PartialTreeParameters {
  Value factor;      ///< mu: D = base + factor * S, S summed over matching children
  Value inner_base;  ///< D of two inner vertices that share no child label
  Value leaf_base;   ///< D when one of them is a leaf
  Value decay;       ///< lambda: for each child skipped between two of a subsequence
  Value step;        ///< factor for each further child of a subsequence: 1, or lambda^2 (gap=span)
  std::size_t max_length = 0;  ///< of a subsequence; 0: no limit
  bool paths_only = false;     ///< subsequences of length 1 (the subpath kernel)
};

/// S of two sequences of children: the sum over all pairs of subsequences of equal length whose
/// children match pairwise, of decay^(children skipped inside) * product of D.
///
/// With acc(a,b) the part of the sum in which the pair (a,b) comes last,
///     acc(a,b) = D(a,b) * (1 + step * sum over a' < a, b' < b of
///                                     decay^((a-a'-1) + (b-b'-1)) acc(a',b'))
/// which needs only the pairs that match. Where these are many, running sums over the full table
/// are cheaper; all terms are positive, so nothing cancels.
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
    if (p_.paths_only) {
      for (std::size_t x = 0; x < count; ++x) add(d + x * width, width, out);
      return;
    }
    if (acc_.size() < count * width) acc_.resize(count * width);
    inside_.resize(width);
    const bool table = !is_sparse(count, m, n);
    if (is_whole(m, n)) {
      table ? whole_table(matches, m, n, d, width, out) : whole_pairs(matches, d, width, out);
      return;
    }
    std::copy_n(d, count * width, acc_.data());
    for (std::size_t x = 0; x < count; ++x) add(d + x * width, width, out);
    for (std::size_t length = 2; length <= p_.max_length; ++length) {
      table ? longer_table(matches, m, n, d, width, out) : longer_pairs(matches, d, width, out);
    }
  }

  /// Whether max_length does not restrict subsequences of m and n children.
  bool is_whole(std::size_t m, std::size_t n) const {
    return !p_.paths_only && (p_.max_length == 0 || p_.max_length >= std::min(m, n));
  }

  /// Whether iterating over all pairs of matches is cheaper than over all pairs of children.
  static bool is_sparse(std::size_t count, std::size_t m, std::size_t n) {
    return count <= 8 || count * count <= 4 * m * n;
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
    if (p_.paths_only || capped || !before(first, second)) return Value(0);
    return p_.step * skipped(first, second);
  }

 private:
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
    std::fill(inside_.begin(), inside_.end(), Value(0));
    for (std::size_t y = 0; y < x; ++y) {
      if (!before(matches[y], matches[x])) continue;
      const Value weight = skipped(matches[y], matches[x]);
      const Value* const acc = acc_.data() + y * width;
      for (std::size_t k = 0; k < width; ++k) inside_[k] += weight * acc[k];
    }
  }

  void whole_pairs(std::span<const ChildMatch> matches, const Value* d, std::size_t width,
                   Value* out) {
    for (std::size_t x = 0; x < matches.size(); ++x) {
      sum_before(matches, x, width);
      set_whole(d + x * width, inside_.data(), acc_.data() + x * width, width, out);
    }
  }

  void set_whole(const Value* d, const Value* inside, Value* acc, std::size_t width, Value* out) {
    for (std::size_t k = 0; k < width; ++k) {
      acc[k] = d[k] * (Value(1) + p_.step * inside[k]);
      out[k] += acc[k];
    }
  }

  /// Advances acc_ from one length to the next.
  void longer_pairs(std::span<const ChildMatch> matches, const Value* d, std::size_t width,
                    Value* out) {
    // Backwards, so that values of the previous length are read.
    for (std::size_t x = matches.size(); x-- > 0;) {
      sum_before(matches, x, width);
      Value* const acc = acc_.data() + x * width;
      for (std::size_t k = 0; k < width; ++k) acc[k] = d[x * width + k] * p_.step * inside_[k];
      add(acc, width, out);
    }
  }

  /// Calls visit(x) for each match. Then before_[b] is the sum over a' < a, b' < b of
  /// decay^(..) acc(a',b'), kept by running sums: row_[b] over a' for one b, and along b.
  template <class Visit>
  void walk_table(std::span<const ChildMatch> matches, std::size_t m, std::size_t n,
                  std::size_t width, Visit&& visit) {
    row_.assign(n * width, Value(0));
    before_.assign(n * width, Value(0));
    std::size_t next = 0;
    for (std::uint32_t a = 0; a < m; ++a) {
      const std::size_t first = next;
      for (; next < matches.size() && matches[next].a == a; ++next) visit(next);
      for (Value& value : row_) value *= p_.decay;
      for (std::size_t x = first; x < next; ++x) {
        add(acc_.data() + x * width, width, row_.data() + matches[x].b * width);
      }
      std::fill(inside_.begin(), inside_.end(), Value(0));
      for (std::size_t at = 0; at < row_.size(); at += width) {
        for (std::size_t k = 0; k < width; ++k) {
          before_[at + k] = inside_[k];
          inside_[k] = inside_[k] * p_.decay + row_[at + k];
        }
      }
    }
  }

  void whole_table(std::span<const ChildMatch> matches, std::size_t m, std::size_t n,
                   const Value* d, std::size_t width, Value* out) {
    walk_table(matches, m, n, width, [&](std::size_t x) {
      set_whole(d + x * width, before_.data() + matches[x].b * width, acc_.data() + x * width,
                width, out);
    });
  }

  void longer_table(std::span<const ChildMatch> matches, std::size_t m, std::size_t n,
                    const Value* d, std::size_t width, Value* out) {
    next_.resize(matches.size() * width);
    walk_table(matches, m, n, width, [&](std::size_t x) {
      const Value* const inside = before_.data() + matches[x].b * width;
      Value* const next = next_.data() + x * width;
      for (std::size_t k = 0; k < width; ++k) next[k] = d[x * width + k] * p_.step * inside[k];
      add(next, width, out);
    });
    std::copy(next_.begin(), next_.end(), acc_.begin());
  }

  PartialTreeParameters<Value> p_;
  std::vector<Value> powers_;  ///< 0, then the powers of decay, from 1 on
  std::vector<Value> acc_;
  std::vector<Value> inside_;
  std::vector<Value> row_;
  std::vector<Value> before_;
  std::vector<Value> next_;
};

}  // namespace espalier
