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
  static constexpr bool any_place = true;

  explicit PartialTreeRule(const PartialTreeParameters<Value>& parameters)
      : p_(parameters), sum_(parameters) {}

  static std::size_t key_count(const Forest& forest) { return forest.labels().size(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.label(v); }
  static std::uint32_t signature(const Forest& forest, VertexId v) { return forest.production(v); }
  static bool joins(const Forest&, VertexId) { return true; }
  const Value& base() const { return p_.inner_base; }

  void extras(std::span<const RowChild<Value>> children, std::span<const ChildMatch> matches,
              const ColumnIndex& index, const ColumnIndex::Run& run, Value* out) {
    if (matches.size() == 1) {
      gather(children[matches[0].a], index.child_ranks(run, matches[0].b), run.size(), out);
      for (std::size_t k = 0; k < run.size(); ++k) out[k] = p_.factor * out[k];
      return;
    }
    for (std::size_t first = 0; first < run.size(); first += widest) {
      const std::size_t width = std::min(widest, run.size() - first);
      if (d_.size() < matches.size() * width) d_.resize(matches.size() * width);
      Value* d = d_.data();
      for (const ChildMatch& match : matches) {
        gather(children[match.a], index.child_ranks(run, match.b) + first, width, d);
        d += width;
      }
      sum(matches, children.size(), run.children, width, out + first);
    }
  }

 private:
  static constexpr std::size_t widest = 32;  ///< columns at once, so that they stay in the cache

  /// D of a child and some columns.
  void gather(const RowChild<Value>& child, const std::uint32_t* rank, std::size_t width,
              Value* d) const {
    if (child.leaf) {
      std::fill(d, d + width, p_.leaf_base);
    } else if (child.row == nullptr) {
      for (std::size_t k = 0; k < width; ++k) {
        d[k] = rank[k] == none ? p_.leaf_base : p_.inner_base;
      }
    } else {
      for (std::size_t k = 0; k < width; ++k) {
        d[k] = rank[k] == none ? p_.leaf_base : child.row[rank[k]];
      }
    }
  }

  /// The matches are known, only the values of the children differ from column to column. Two
  /// matches are most of what real trees have beside one.
  void sum(std::span<const ChildMatch> matches, std::size_t m, std::size_t n, std::size_t width,
           Value* out) {
    if (matches.size() == 2) {
      const Value both = sum_.weight_of_both(matches[0], matches[1], std::min(m, n));
      const Value* const second = d_.data() + width;
      for (std::size_t k = 0; k < width; ++k) {
        out[k] = p_.factor * (d_[k] + second[k] + both * d_[k] * second[k]);
      }
    } else {
      sum_(matches, m, n, d_.data(), width, out);
      for (std::size_t k = 0; k < width; ++k) out[k] = p_.factor * out[k];
    }
  }

  PartialTreeParameters<Value> p_;
  SubsequenceSum<Value> sum_;
  std::vector<Value> d_;  ///< of the matching children
};

}  // namespace espalier
