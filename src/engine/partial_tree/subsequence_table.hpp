#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/cancel.hpp"
#include "engine/partial_tree/run_joins.hpp"
#include "engine/partial_tree/subsequence_parameters.hpp"
#include "engine/row_memory.hpp"

namespace espalier {

/// Sums of very many addends: parts of some hundred are added up with compensation (Kahan).
template <class Value>
class CompensatedSums {
 public:
  void start(std::size_t size) {
    part_.assign(size, Value(0));
    sum_.assign(size, Value(0));
    lost_.assign(size, Value(0));
    addends_ = 0;
  }
  /// Where to add the next addends, one for each sum.
  Value* part() {
    if (++addends_ == most_addends) finish_part();
    return part_.data();
  }
  void move_to(Value* out) {
    finish_part();
    std::ranges::copy(sum_, out);
  }

 private:
  static constexpr std::size_t most_addends = 256;

  void finish_part() {
    addends_ = 0;
    for (std::size_t k = 0; k < sum_.size(); ++k) {
      const Value addend = std::exchange(part_[k], Value(0)) - lost_[k];
      const Value next = sum_[k] + addend;
      lost_[k] = (next - sum_[k]) - addend;
      sum_[k] = next;
    }
  }

  std::size_t addends_ = 0;  ///< of the parts
  std::vector<Value> part_;
  std::vector<Value> sum_;
  std::vector<Value> lost_;  ///< by rounding sum_
};

/// S of two sequences of children, as SubsequenceSum, for many matches: child by child of the first
/// sequence, so that only sums over what came before are kept, one for each child of the second and
/// each length below max_length. With acc(a,b) the part of S in which the pair (a,b) comes last,
///     before(b) = sum over a' < a, b' < b of decay^((a-a'-1) + (b-b'-1)) acc(a',b')
/// takes one multiplication and one addition to go from a to a + 1, as the sum along b is known by
/// then. All terms are positive, so nothing cancels; and as there may be 10^10 of them, S is added
/// up in parts (CompensatedSums).
///
/// Several columns with the same matches are computed side by side: value x * width + k belongs to
/// match x in column k.
template <class Value>
class SubsequenceTable {
 public:
  /// `memory` is the budget of the thread, in bytes.
  SubsequenceTable(const PartialTreeParameters<Value>& parameters, std::size_t memory)
      : p_(parameters), memory_(at_least_allowed(memory)) {}

  /// There are m and n children. row(a) returns the matches of child a, in ascending order of b,
  /// and their values D. Writes S to `out`, one per column.
  template <class Row>
  void operator()(std::size_t m, std::size_t n, std::size_t width, Row&& row, Value* out) {
    start(p_.is_whole(m, n) ? 1 : p_.max_length - 1, n, width);
    for (std::uint32_t a = 0; a < m; ++a) {
      const auto [matches, d] = row(a);
      if (p_.is_whole(m, n)) {
        add_whole(matches, d);
      } else {
        add_capped(matches, d);
      }
      work_ += before_.size();
      if (work_ < work_between_checks) continue;
      work_ = 0;
      check_cancelled();
    }
    sums_.move_to(out);
  }

 private:
  void start(std::size_t lengths, std::size_t n, std::size_t width) {
    size_ = n * width;
    width_ = width;
    if (lengths > memory_ / sizeof(Value) / size_) throw OutOfBudget(memory_);
    before_.assign(lengths * size_, Value(0));
    inside_.resize(width);
    sums_.start(width);
  }
  Value* before(std::size_t length) { return before_.data() + (length - 1) * size_; }

  void add_whole(std::span<const ChildMatch> matches, const Value* d) {
    const Value* const all = before(1);
    advance(matches, d, before(1), [&](const Value& value, std::size_t at) {
      return value * (Value(1) + p_.step * all[at]);
    });
  }

  /// From the longest length to the shortest: each reads the sums of the one below it.
  void add_capped(std::span<const ChildMatch> matches, const Value* d) {
    const auto single = [](const Value& value, std::size_t) { return value; };
    if (p_.max_length == 1) {
      end(matches, d, single);
      return;
    }
    for (std::size_t length = p_.max_length; length > 1; --length) {
      const auto longer = [&, shorter = before(length - 1)](const Value& value, std::size_t at) {
        return value * p_.step * shorter[at];
      };
      if (length == p_.max_length) {
        end(matches, d, longer);
      } else {
        advance(matches, d, before(length), longer);
      }
    }
    advance(matches, d, before(1), single);
  }

  /// Adds acc(value, place) of the matches to S, where no longer subsequences follow.
  template <class Acc>
  void end(std::span<const ChildMatch> matches, const Value* d, Acc&& acc) {
    for (const ChildMatch& match : matches) {
      Value* const part = sums_.part();
      for (std::size_t k = 0; k < width_; ++k) part[k] += acc(*d++, match.b * width_ + k);
    }
  }

  /// The same, and advances the sums of this length to the next child.
  template <class Acc>
  void advance(std::span<const ChildMatch> matches, const Value* d, Value* before, Acc&& acc) {
    if (width_ == 1) {
      advance_columns<1>(matches, d, before, acc);
    } else {
      advance_columns<0>(matches, d, before, acc);
    }
  }
  /// `fixed` is the width, or 0 if it is not known to the compiler.
  template <std::size_t fixed, class Acc>
  void advance_columns(std::span<const ChildMatch> matches, const Value* d, Value* before,
                       Acc& acc) {
    const std::size_t width = fixed > 0 ? fixed : width_;
    const Value decay = p_.decay;
    Value* const inside = inside_.data();
    std::fill_n(inside, width, Value(0));
    std::size_t at = 0;
    const auto skip = [&](std::size_t to) {
      while (at < to) {
        for (std::size_t k = 0; k < width; ++k, ++at) {
          before[at] = before[at] * decay + inside[k];
          inside[k] = inside[k] * decay;
        }
      }
    };
    for (const ChildMatch& match : matches) {
      skip(match.b * width);
      Value* const part = sums_.part();
      for (std::size_t k = 0; k < width; ++k, ++at) {
        const Value here = acc(*d++, at);
        part[k] += here;
        before[at] = before[at] * decay + inside[k];
        inside[k] = inside[k] * decay + here;
      }
    }
    skip(size_);
  }

  PartialTreeParameters<Value> p_;
  std::size_t memory_;
  std::size_t width_ = 0;
  std::size_t size_ = 0;       ///< of before_ for one length
  std::vector<Value> before_;  ///< per length, child of the second sequence and column
  std::vector<Value> inside_;  ///< per column: sum over the matches of one child so far
  CompensatedSums<Value> sums_;

  static constexpr std::size_t work_between_checks = 1 << 18;
  std::size_t work_ = 0;
};

}  // namespace espalier
