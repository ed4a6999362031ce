#pragma once

#include <algorithm>
#include <vector>

#include "kernel/pair_product.hpp"
#include "kernel/subsequence_sum.hpp"

namespace espalier {

/// D of the partial tree kernel, and of the subpath kernel, for two inner vertices with the same
/// label.
template <class V>
class PartialTreeRule {
 public:
  using Value = V;
  static constexpr bool graded = false;
  static constexpr bool any_place = true;

  explicit PartialTreeRule(const PartialTreeParameters<Value>& parameters)
      : p_(parameters), sum_(parameters) {}

  static std::size_t key_count(const Forest& forest) { return forest.labels().size(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.label(v); }
  static std::uint32_t signature(const Forest& forest, VertexId v) { return forest.production(v); }
  static bool joins(const Forest&, VertexId) { return true; }
  const Value& base() const { return p_.inner_base; }
  const Value& leaf_base() const { return p_.leaf_base; }

  /// One or two matches are most of what real trees have.
  void extras(std::span<const Value* const> children, std::span<const ChildMatch> matches,
              const ColumnIndex& index, const ColumnIndex::Run& run, Value* out) {
    const Value* const first = children[matches[0].a];
    const std::uint32_t* const first_rank = index.child_ranks(run, matches[0].b);
    if (matches.size() == 1) {
      for (std::size_t k = 0; k < run.size(); ++k) out[k] = p_.factor * first[first_rank[k]];
    } else if (matches.size() == 2) {
      const Value both = sum_.weight_of_both(matches[0], matches[1],
                                             std::min<std::size_t>(children.size(), run.children));
      const Value* const second = children[matches[1].a];
      const std::uint32_t* const second_rank = index.child_ranks(run, matches[1].b);
      for (std::size_t k = 0; k < run.size(); ++k) {
        const Value& x = first[first_rank[k]];
        const Value& y = second[second_rank[k]];
        out[k] = p_.factor * (x + y + both * x * y);
      }
    } else if (matches.size() <= few && sum_.is_whole(children.size(), run.children)) {
      sum_few(children, matches, index, run, out);
    } else {
      for (std::size_t at = 0; at < run.size(); at += widest) {
        sum_many(children, matches, index, run, at, out + at);
      }
    }
  }

  /// D - base where the matching children have the values `d`, one for each match.
  Value extra(std::span<const Value> d, std::span<const ChildMatch> matches, std::size_t children,
              std::size_t others) {
    Value sum = d[0];
    if (matches.size() > 1) sum_(matches, children, others, d.data(), 1, &sum);
    return p_.factor * sum;
  }

 private:
  static constexpr std::size_t few = 6;      ///< matches that need no memory
  static constexpr std::size_t widest = 32;  ///< columns at once, so that they stay in the cache

  /// The sums of SubsequenceSum, column by column, with the weights of all pairs of matches at
  /// hand.
  void sum_few(std::span<const Value* const> children, std::span<const ChildMatch> matches,
               const ColumnIndex& index, const ColumnIndex::Run& run, Value* out) {
    const std::size_t count = matches.size();
    const Value* rows[few];
    const std::uint32_t* ranks[few];
    Value weights[few][few];
    const std::size_t shorter = std::min<std::size_t>(children.size(), run.children);
    for (std::size_t x = 0; x < count; ++x) {
      rows[x] = children[matches[x].a];
      ranks[x] = index.child_ranks(run, matches[x].b);
      for (std::size_t y = 0; y < x; ++y) {
        weights[x][y] = sum_.weight_of_both(matches[y], matches[x], shorter);
      }
    }
    for (std::size_t k = 0; k < run.size(); ++k) {
      Value acc[few];
      Value sum(0);
      for (std::size_t x = 0; x < count; ++x) {
        Value inside(1);
        for (std::size_t y = 0; y < x; ++y) inside += weights[x][y] * acc[y];
        acc[x] = rows[x][ranks[x][k]] * inside;
        sum += acc[x];
      }
      out[k] = p_.factor * sum;
    }
  }

  /// For the columns of the run from `at` on, as many as go at once.
  void sum_many(std::span<const Value* const> children, std::span<const ChildMatch> matches,
                const ColumnIndex& index, const ColumnIndex::Run& run, std::size_t at, Value* out) {
    const std::size_t width = std::min(widest, run.size() - at);
    if (d_.size() < matches.size() * width) d_.resize(matches.size() * width);
    Value* d = d_.data();
    for (const ChildMatch& match : matches) {
      const Value* const row = children[match.a];
      const std::uint32_t* const rank = index.child_ranks(run, match.b) + at;
      for (std::size_t k = 0; k < width; ++k) *d++ = row[rank[k]];
    }
    sum_(matches, children.size(), run.children, d_.data(), width, out);
    for (std::size_t k = 0; k < width; ++k) out[k] = p_.factor * out[k];
  }

  PartialTreeParameters<Value> p_;
  SubsequenceSum<Value> sum_;
  std::vector<Value> d_;  ///< of the matching children
};

}  // namespace espalier
