#pragma once

#include <algorithm>
#include <vector>

#include "engine/pair_leaf.hpp"
#include "engine/partial_tree/label_keys.hpp"
#include "engine/partial_tree/run_joins.hpp"
#include "engine/partial_tree/subsequence_sum.hpp"

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

/// D of the partial tree kernel, and of the subpath kernel, for two inner vertices with the same
/// label.
template <class V>
class PartialTreeRule : public LabelKeys {
 public:
  using Value = V;
  static constexpr bool graded = false;

  explicit PartialTreeRule(const PartialTreeParameters<Value>& parameters)
      : p_(parameters), sum_(parameters) {}

  const Value& base() const { return p_.inner_base; }
  const Value& leaf_base() const { return p_.leaf_base; }

  bool counts_children() const { return p_.max_length > 0; }

  /// In real trees most batches have one or two matches.
  void differences(std::span<const Value* const> children, const MatchBatch& batch, Value* out) {
    const bool whole = sum_.is_whole(children.size(), batch.others);
    switch (whole ? batch.matches.size() : 0) {
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
        if (whole && batch.size <= few_columns &&
            sum_.is_sparse(batch.matches.size(), children.size(), batch.others)) {
          sum_each(children, batch, out);
        } else {
          sum_many(children, batch, out);
        }
    }
  }

  /// D - base, given the values `d` of the matching children, one per match.
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
  static constexpr std::size_t few_columns = 4;
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
    constexpr std::size_t widest = 32;
    const auto& matches = batch.matches;
    for (std::size_t at = 0; at < batch.size; at += widest) {
      const std::size_t width = std::min(widest, batch.size - at);
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

  PartialTreeParameters<Value> p_;
  SubsequenceSum<Value> sum_;
  std::vector<Value> d_;  ///< of the matching children
};

}  // namespace espalier
