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
    } else {
      for (std::size_t at = 0; at < run.size(); at += widest) {
        sum_many(children, matches, index, run, at, out + at);
      }
    }
  }

 private:
  static constexpr std::size_t widest = 32;  ///< columns at once, so that they stay in the cache

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
