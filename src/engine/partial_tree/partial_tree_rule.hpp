#pragma once

#include <algorithm>
#include <vector>

#include "engine/fast_paths.hpp"
#include "engine/lanes.hpp"
#include "engine/partial_tree/run_joins.hpp"
#include "engine/partial_tree/subsequence_sum.hpp"
#include "engine/partial_tree/subsequence_table.hpp"

namespace espalier {

/// The parameters of a partial tree kernel or a kernel derived from it.
template <class Value, class Options>
PartialTreeParameters<Value> partial_tree_parameters(std::span<const TreeKernelNode> settings) {
  const auto& options = std::get<Options>(settings[0].options);
  PartialTreeParameters<Value> p;
  p.decay = lanes<Value, Options>(settings, &Options::decay);
  p.factor = lanes<Value, Options>(settings, &Options::depth_decay);
  p.inner_base = p.factor * p.decay * p.decay;
  p.leaf_base = p.inner_base * lanes<Value, Options>(settings, &Options::terminal);
  p.step = options.gap == Gap::span ? p.decay * p.decay : Value(1);
  p.max_length = static_cast<std::size_t>(options.max_length);
  return p;
}

/// D of the partial tree kernel for two inner vertices with the same label.
template <class V>
class PartialTreeRule {
 public:
  using Value = V;
  using Options = PartialTreeOptions;
  static constexpr bool may_weigh_leaves = true;
  static constexpr ChildMatching matching = ChildMatching::all;

  /// `memory` is the budget of the thread, in bytes.
  PartialTreeRule(std::span<const TreeKernelNode> settings, std::size_t memory)
      : PartialTreeRule(partial_tree_parameters<Value, Options>(settings), memory) {}
  PartialTreeRule(const PartialTreeParameters<Value>& parameters, std::size_t memory)
      : p_(parameters),
        most_formulas_(FastPaths::used().few_matches ? 4 : 0),
        few_columns_(FastPaths::used().few_columns ? 4 : 0),
        sum_(parameters),
        table_(parameters, memory) {}

  const Value& base() const { return p_.inner_base; }
  const Value& leaf_base() const { return p_.leaf_base; }

  bool counts_children() const { return p_.max_length > 0; }

  /// Whether iterating over all pairs of `count` matches costs more than over all pairs of m and n
  /// children.
  static bool is_table(std::size_t count, std::size_t m, std::size_t n) {
    // Not a square, which may overflow. Pairs of still more matches would take too long for tests.
    return count > 8 && count > 4 * m * n / count && (FastPaths::used().tables || count > 2048);
  }

  /// In real trees most batches have one or two matches.
  void differences(std::span<const Value* const> children, const MatchBatch& batch, Value* out) {
    const std::size_t count = batch.matches.size();
    const bool whole = p_.is_whole(children.size(), batch.others);
    if (is_table(count, children.size(), batch.others)) {
      table(
          children, batch.others, batch.size,
          [&](std::uint32_t a) {
            // clang 14 cannot compile std::ranges::equal_range.
            const auto first = std::ranges::lower_bound(batch.matches, a, {}, &ChildMatch::a);
            const auto last = std::ranges::upper_bound(batch.matches, a, {}, &ChildMatch::a);
            return std::span<const ChildMatch>(first, last);
          },
          [&](const ChildMatch& match) {
            const auto number = static_cast<std::size_t>(&match - batch.matches.data());
            return batch.ranks + number * batch.size;
          },
          [&](std::size_t k) { return batch.places[k]; }, out);
      return;
    }
    switch (whole && count <= most_formulas_ ? count : 0) {
      case 1:
        sum_few<1>(children, batch, out);
        break;
      case 2:
        sum_few<2>(children, batch, out);
        break;
      case 3:
        sum_few<3>(children, batch, out);
        break;
      case 4:
        sum_few<4>(children, batch, out);
        break;
      default:
        if (whole && batch.size <= few_columns_) {
          sum_each(children, batch, out);
        } else {
          sum_many(children, batch, out);
        }
    }
  }

  /// The same for columns with `others` children: matches_of(a) are the matches of child a,
  /// ranks_of(match) the ranks of that child in all columns, place_of(k) where the difference of
  /// column k goes. As many columns at a time as fit the cache.
  template <class MatchesOf, class RanksOf, class PlaceOf>
  void table(std::span<const Value* const> children, std::size_t others, std::size_t size,
             MatchesOf&& matches_of, RanksOf&& ranks_of, PlaceOf&& place_of, Value* out) {
    const std::size_t most = most_columns(others);
    for (std::size_t at = 0; at < size; at += most) {
      const std::size_t width = std::min(most, size - at);
      if (d_.size() < others * width) d_.resize(others * width);
      const auto row = [&](std::uint32_t a) {
        const std::span<const ChildMatch> matches = matches_of(a);
        Value* d = d_.data();
        for (const ChildMatch& match : matches) {
          const std::uint32_t* const ranks = ranks_of(match) + at;
          for (std::size_t k = 0; k < width; ++k) *d++ = children[a][ranks[k]];
        }
        return std::pair(matches, static_cast<const Value*>(d_.data()));
      };
      Value sums[widest];
      table_(children.size(), others, width, row, sums);
      for (std::size_t k = 0; k < width; ++k) out[place_of(at + k)] = p_.factor * sums[k];
    }
  }

  /// D - base, given the values `d` of the matching children, one per match; not for a table.
  Value difference(std::span<const Value> d, std::span<const ChildMatch> matches,
                   std::size_t children, std::size_t others) {
    Value sum = d[0];
    if (matches.size() > 1) sum_(matches, children, others, d.data(), 1, &sum);
    return p_.factor * sum;
  }

 private:
  /// SubsequenceSum for a fixed number of matches, column by column, with precomputed weights of
  /// all pairs of matches.
  template <std::size_t count>
  void sum_few(std::span<const Value* const> children, const MatchBatch& batch, Value* out) {
    const Value* rows[count];
    const std::uint32_t* ranks[count];
    Value weights[count][count];
    const std::size_t shorter = std::min(children.size(), batch.others);
    for (std::size_t x = 0; x < count; ++x) {
      rows[x] = children[batch.matches[x].a];
      ranks[x] = batch.ranks + x * batch.size;
      for (std::size_t y = 0; y < x; ++y) {
        weights[x][y] = sum_.weight_of_both(batch.matches[y], batch.matches[x], shorter);
      }
    }
    const Value factor = p_.factor;
    for (std::size_t k = 0; k < batch.size; ++k) {
      // Not an array: the compiler would store and reload it.
      const auto d = [&](std::size_t x) -> const Value& { return rows[x][ranks[x][k]]; };
      const Value first = d(0);
      Value sum = first;
      if constexpr (count > 1) {
        const Value second = d(1) * (Value(1) + weights[1][0] * first);
        sum += second;
        if constexpr (count > 2) {
          const Value third = d(2) * (Value(1) + weights[2][0] * first + weights[2][1] * second);
          sum += third;
          if constexpr (count > 3) {
            sum += d(3) * (Value(1) + weights[3][0] * first + weights[3][1] * second +
                           weights[3][2] * third);
          }
        }
      }
      out[batch.places[k]] = factor * sum;
    }
  }

  /// Column by column.
  void sum_each(std::span<const Value* const> children, const MatchBatch& batch, Value* out) {
    const std::size_t count = batch.matches.size();
    if (d_.size() < count) d_.resize(count);
    for (std::size_t k = 0; k < batch.size; ++k) {
      const std::uint32_t* rank = batch.ranks + k;
      for (std::size_t x = 0; x < count; ++x, rank += batch.size) {
        d_[x] = children[batch.matches[x].a][*rank];
      }
      out[batch.places[k]] =
          p_.factor * sum_.whole(batch.matches, children.size(), batch.others, d_.data());
    }
  }

  /// As many columns at a time as fit the cache.
  void sum_many(std::span<const Value* const> children, const MatchBatch& batch, Value* out) {
    const auto& matches = batch.matches;
    const std::size_t most = most_columns(matches.size());
    for (std::size_t at = 0; at < batch.size; at += most) {
      const std::size_t width = std::min(most, batch.size - at);
      if (d_.size() < matches.size() * width) d_.resize(matches.size() * width);
      Value* d = d_.data();
      for (std::size_t x = 0; x < matches.size(); ++x) {
        const Value* const row = children[matches[x].a];
        const std::uint32_t* const rank = batch.ranks + x * batch.size + at;
        for (std::size_t k = 0; k < width; ++k) *d++ = row[rank[k]];
      }
      Value sums[widest];
      sum_(matches, children.size(), batch.others, d_.data(), width, sums);
      for (std::size_t k = 0; k < width; ++k) out[batch.places[at + k]] = p_.factor * sums[k];
    }
  }

  /// Columns that are computed side by side if each needs so many values.
  static constexpr std::size_t widest = 32;
  static std::size_t most_columns(std::size_t values) {
    constexpr std::size_t most_values = 1 << 14;
    return std::clamp<std::size_t>(most_values / values, 1, widest);
  }

  PartialTreeParameters<Value> p_;
  std::size_t most_formulas_;  ///< matches with sum_few()
  std::size_t few_columns_;    ///< with sum_each()
  SubsequenceSum<Value> sum_;
  SubsequenceTable<Value> table_;
  std::vector<Value> d_;  ///< of the matching children
};

}  // namespace espalier
