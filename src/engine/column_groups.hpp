#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/bags.hpp"
#include "engine/content_hashes.hpp"
#include "engine/lists.hpp"

namespace espalier {

/// Consecutive positions: see ColumnGroups.
using Positions = IndexRange<std::uint32_t>;

/// The vertices of the columns of a block that may match a row, grouped by key. A position is an
/// index into all vertices; a rank is an index within one group, starting at 1. The order within a
/// group depends only on the content of its vertices.
class ColumnGroups {
 public:
  bool is_of(Slice columns) const { return slice_ == columns; }
  /// The group with that key, or none.
  std::uint32_t group_of(std::uint32_t key) const {
    return key < group_of_.size() ? group_of_[key] : none;
  }
  const Positions& group(std::uint32_t g) const { return groups_[g]; }
  std::size_t group_count() const { return groups_.size(); }
  /// Whether no column has two vertices of the group.
  bool is_single(std::uint32_t g) const { return is_single_[g] != 0; }
  std::span<const VertexId> vertices() const { return vertices_; }  ///< per position

  // Per position:
  Lists<SparseEntry<double>> postings;     ///< the columns of the block that have it, with counts
  std::vector<std::uint32_t> only;         ///< its only column, if it occurs once there; else none
  std::vector<std::uint32_t> next_shared;  ///< the first from there on without `only`

  /// Frees the scratch of building.
  void keep() {
    position_ = {};
    order_ = {};
  }

 protected:
  /// `rule` defines keys, see Matcher; `wanted` flags the keys that can match a row. Vertices
  /// of a group with the same signature are adjacent.
  template <class Rule>
  void group(const Bags& bags, Slice columns, const Rule& rule, const ContentHashes& hashes,
             const std::vector<std::uint8_t>& wanted) {
    const Forest& forest = bags.forest();
    group_of_.resize(rule.key_count(forest), none);
    for (const std::uint32_t key : group_keys_) group_of_[key] = none;
    position_.resize(forest.vertex_count(), none);
    slice_ = columns;
    collect(bags, columns, rule, wanted);
    cut(forest, rule, hashes);
    post(bags, columns);
    find_single(columns);
  }
  /// Resets the scratch of group(). To be called when ranks are no longer needed.
  void forget_positions() {
    for (const VertexId v : vertices_) position_[v] = none;
  }
  /// The rank of a vertex; 0 if it has no position.
  template <class Rule>
  std::uint32_t rank(const Forest& forest, const Rule& rule, VertexId v) const {
    if (position_[v] == none) return 0;
    return 1 + position_[v] - groups_[group_of_[rule.key(forest, v)]].begin;
  }
  std::size_t bytes() const {
    return postings.bytes() + (sizeof(Sorted) + 3 * sizeof(std::uint32_t)) * vertices_.size() +
           sizeof(std::uint32_t) * position_.size();
  }

 private:
  /// Collects the distinct vertices that matter. Weighted bags may omit vertices of weight 0, but
  /// their ancestors need them.
  template <class Rule>
  void collect(const Bags& bags, Slice columns, const Rule& rule,
               const std::vector<std::uint8_t>& wanted) {
    const Forest& forest = bags.forest();
    vertices_.clear();
    const auto collect_one = [&](VertexId v) {
      if (position_[v] != none || !rule.matters(forest, v)) return;
      if (wanted[rule.key(forest, v)] == 0) return;
      position_[v] = 0;
      vertices_.push_back(v);
    };
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      for (const Occurrence& o : bags[j].occurrences) collect_one(o.vertex);
    }
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
      for (const VertexId child : forest.children(vertices_[k])) collect_one(child);
    }
  }

  template <class Rule>
  void cut(const Forest& forest, const Rule& rule, const ContentHashes& hashes) {
    order_.clear();
    for (const VertexId v : vertices_) {
      const std::uint64_t key = rule.key(forest, v);
      const std::uint64_t order = rule.signature_hash(hashes, forest, v) >> 32;
      order_.emplace_back(key << 32 | order, hashes.vertex(v), v);
    }
    std::ranges::sort(order_);
    groups_.clear();
    group_keys_.clear();
    for (std::uint32_t p = 0; p < order_.size(); ++p) {
      const VertexId v = std::get<VertexId>(order_[p]);
      const auto key = static_cast<std::uint32_t>(std::get<0>(order_[p]) >> 32);
      if (groups_.empty() || group_keys_.back() != key) {
        group_of_[key] = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back({p, p});
        group_keys_.push_back(key);
      }
      groups_.back().end = p + 1;
      vertices_[p] = v;
      position_[v] = p;
    }
  }

  void post(const Bags& bags, Slice columns) {
    postings.build(vertices_.size(), [&](auto&& visit) {
      for (std::uint32_t j = 0; j < columns.size(); ++j) {
        const Bag& bag = bags[columns.begin + j];
        for (std::size_t k = 0; k < bag.size(); ++k) {
          const std::uint32_t p = position_[bag.vertex(k)];
          if (p != none) visit(p, SparseEntry<double>{j, bag.count(k)});
        }
      }
    });
    const auto end = static_cast<std::uint32_t>(vertices_.size());
    only.assign(end, none);
    next_shared.assign(end + std::size_t{1}, end);
    for (std::uint32_t p = end; p-- > 0;) {
      const auto all = postings.of(p);
      if (all.size() == 1 && all[0].value == 1) only[p] = all[0].index;
      next_shared[p] = only[p] == none ? p : next_shared[p + 1];
    }
  }

  void find_single(Slice columns) {
    is_single_.assign(groups_.size(), 1);
    std::vector<std::uint32_t> seen_in(columns.size(), none);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (const auto& entry : postings.of(groups_[g].begin, groups_[g].end)) {
        if (std::exchange(seen_in[entry.index], g) == g) is_single_[g] = 0;
      }
    }
  }

  /// The key and the upper half of the signature's hash; the hash of the vertex; the vertex.
  using Sorted = std::tuple<std::uint64_t, std::uint64_t, VertexId>;

  Slice slice_;
  std::vector<std::uint32_t> group_of_;  ///< per key, or none
  std::vector<std::uint32_t> group_keys_;
  std::vector<std::uint8_t> is_single_;  ///< per group
  std::vector<Positions> groups_;
  std::vector<VertexId> vertices_;  ///< per position

  // Scratch for building.
  std::vector<std::uint32_t> position_;  ///< per vertex; none between uses
  std::vector<Sorted> order_;
};

}  // namespace espalier
