#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/column_groups.hpp"
#include "engine/lists.hpp"

namespace espalier {

/// For kernels that are sums over all pairs of children with equal keys: the sum of the rows of all
/// children of a vertex that have the same key, equal children being added once, times their
/// number. So the cost of a pair of vertices is linear in the children of one of them.
template <class Value>
class KeyRows {
 public:
  /// Replaces the row of the first child with each key by the sum for that key. `rows` are those of
  /// the children; they must be as long as the group of their key, plus 1.
  template <class Rule>
  void sum(const Rule& rule, const Forest& forest, const ColumnGroups& index,
           std::span<const VertexId> children, std::span<const Value*> rows) {
    keys_.start(rule.key_count(forest));
    for (const VertexId child : children) keys_.add(rule.key(forest, child));
    if (keys_.size() == children.size()) return;
    children_.build(keys_.size(), [&](auto&& visit) {
      for (std::uint32_t a = 0; a < children.size(); ++a) {
        visit(keys_.of(rule.key(forest, children[a])), a);
      }
    });
    std::size_t total = 0;
    for (std::uint32_t k = 0; k < keys_.size(); ++k) total += sum_size(index, k);
    if (sums_.size() < total) sums_.resize(total);
    Value* sum = sums_.data();
    for (std::uint32_t k = 0; k < keys_.size(); ++k) {
      const std::size_t size = sum_size(index, k);
      if (size == 0) continue;
      std::fill_n(sum, size, Value(0));
      count_equal(children, children_.of(k));
      for (const auto& [first, equal] : distinct_) {
        const Value count(static_cast<double>(equal));
        const Value* const row = rows[first];
        for (std::size_t x = 0; x < size; ++x) sum[x] += count * row[x];
      }
      rows[children_.of(k)[0]] = sum;
      sum += size;
    }
  }

 private:
  /// The size of the row of a key; 0 if only one child has it.
  std::size_t sum_size(const ColumnGroups& index, std::uint32_t number) const {
    if (children_.of(number).size() == 1) return 0;
    const std::uint32_t group = index.group_of(keys_.ids()[number]);
    return 1 + (group == none ? 0 : index.group(group).size());
  }

  /// Lists the distinct ones of some children.
  void count_equal(std::span<const VertexId> children, std::span<const std::uint32_t> some) {
    sorted_.clear();
    for (const std::uint32_t a : some) sorted_.emplace_back(children[a], a);
    std::ranges::sort(sorted_);
    distinct_.clear();
    for (std::size_t k = 0; k < sorted_.size(); ++k) {
      const auto& [vertex, a] = sorted_[k];
      if (k == 0 || sorted_[k - 1].first != vertex) distinct_.emplace_back(a, 0);
      ++distinct_.back().second;
    }
    std::ranges::sort(distinct_);
  }

  Numbering keys_;                 ///< of the children
  Lists<std::uint32_t> children_;  ///< per number of a key
  std::vector<std::pair<VertexId, std::uint32_t>> sorted_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> distinct_;  ///< the first, and how many
  std::vector<Value> sums_;
};

}  // namespace espalier
