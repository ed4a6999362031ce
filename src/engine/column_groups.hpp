#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/bags.hpp"
#include "engine/content_hashes.hpp"

namespace espalier {

/// Posting lists: for each indexed vertex, the examples of a slice that contain it.
struct Postings {
  struct Entry {
    std::uint32_t example;  ///< relative to the start of the slice
    double count;
  };
  // Per item:
  std::vector<std::uint32_t> begin;        ///< in entries; and one more
  std::vector<std::uint32_t> only;         ///< its only example, if it occurs once there; else none
  std::vector<std::uint32_t> next_shared;  ///< the first from there on without `only`
  std::vector<Entry> entries;

  /// `item_of` maps a vertex to its item, or to none; there are `items` of them.
  void build(const Bags& bags, Slice slice, std::size_t items,
             const std::vector<std::uint32_t>& item_of) {
    begin.assign(items + 1, 0);
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      for (const Occurrence& o : bags[i].occurrences) {
        if (item_of[o.vertex] != none) ++begin[item_of[o.vertex] + 1];
      }
    }
    for (std::size_t p = 0; p < items; ++p) begin[p + 1] += begin[p];
    entries.resize(begin[items]);
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      const Bag& bag = bags[i];
      for (std::size_t k = 0; k < bag.size(); ++k) {
        const std::uint32_t item = item_of[bag.vertex(k)];
        if (item == none) continue;
        const auto example = static_cast<std::uint32_t>(i - slice.begin);
        entries[begin[item]++] = {example, bag.count(k)};
      }
    }
    for (std::size_t p = items; p > 0; --p) begin[p] = begin[p - 1];
    begin[0] = 0;
    only.assign(items, none);
    next_shared.assign(items + 1, static_cast<std::uint32_t>(items));
    for (std::size_t p = items; p-- > 0;) {
      if (of(p).size() == 1 && of(p)[0].count == 1) only[p] = of(p)[0].example;
      next_shared[p] = only[p] == none ? static_cast<std::uint32_t>(p) : next_shared[p + 1];
    }
  }
  std::span<const Entry> of(std::size_t item) const { return of(item, item + 1); }
  /// Entries of consecutive items.
  std::span<const Entry> of(std::size_t first, std::size_t last) const {
    return {entries.data() + begin[first], entries.data() + begin[last]};
  }
};

/// A range of consecutive positions.
struct Positions {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t size() const { return end - begin; }
};

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

  Postings postings;  ///< per position

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
    postings.build(bags, columns, vertices_.size(), position_);
    find_single(columns);
  }
  /// Resets the scratch of group(). To be called when ranks are no longer needed.
  void forget_positions() {
    for (const VertexId v : vertices_) position_[v] = none;
  }
  /// Frees the scratch of building.
  void keep() {
    position_ = {};
    order_ = {};
  }
  /// The rank of a vertex; 0 if it has no position.
  template <class Rule>
  std::uint32_t rank(const Forest& forest, const Rule& rule, VertexId v) const {
    if (position_[v] == none) return 0;
    return 1 + position_[v] - groups_[group_of_[rule.key(forest, v)]].begin;
  }
  std::size_t bytes() const {
    return sizeof(Postings::Entry) * postings.entries.size() +
           (sizeof(Sorted) + 4 * sizeof(std::uint32_t)) * vertices_.size() +
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
      order_.push_back({key << 32 | order, hashes.vertex(v), v});
    }
    std::ranges::sort(order_);
    groups_.clear();
    group_keys_.clear();
    for (std::uint32_t p = 0; p < order_.size(); ++p) {
      const VertexId v = order_[p].vertex;
      const auto key = static_cast<std::uint32_t>(order_[p].key_and_signature >> 32);
      if (p == 0 || order_[p - 1].key_and_signature >> 32 != key) {
        group_of_[key] = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back({p, p});
        group_keys_.push_back(key);
      }
      groups_.back().end = p + 1;
      vertices_[p] = v;
      position_[v] = p;
    }
  }

  void find_single(Slice columns) {
    is_single_.assign(groups_.size(), 1);
    std::vector<std::uint32_t> seen_in(columns.size(), none);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (const Postings::Entry& entry : postings.of(groups_[g].begin, groups_[g].end)) {
        if (std::exchange(seen_in[entry.example], g) == g) is_single_[g] = 0;
      }
    }
  }

  struct Sorted {
    std::uint64_t key_and_signature;  ///< the key, then the upper half of the signature's hash
    std::uint64_t hash;
    VertexId vertex;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads defaulted comparisons
    friend auto operator<=>(const Sorted&, const Sorted&) = default;
  };

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

/// Inverted index from (child key, owner) to places, built by counting sort.
template <class Place>
class PlaceLists {
 public:
  void start(std::size_t keys) {
    lists_of_.resize(keys);
    for (const std::uint32_t key : keys_) lists_of_[key] = {};
    keys_.clear();
    unsorted_.clear();
    lists_.clear();
  }
  /// Owners must be ascending from call to call.
  void add(std::uint32_t key, std::uint32_t owner, const Place& place) {
    if (lists_of_[key].end++ == 0) keys_.push_back(key);
    unsorted_.push_back({key, owner, place});
  }
  void finish() {
    std::uint32_t total = 0;
    for (const std::uint32_t key : keys_) {
      lists_of_[key].begin = total;
      total += lists_of_[key].end;
      lists_of_[key].end = lists_of_[key].begin;
    }
    sorted_.resize(total);
    for (const Unsorted& place : unsorted_) sorted_[lists_of_[place.key].end++] = place;
    places_.resize(total);
    for (std::uint32_t at = 0; at < total; ++at) {
      const Unsorted& place = sorted_[at];
      const bool new_key = at == 0 || sorted_[at - 1].key != place.key;
      if (new_key) lists_of_[place.key].begin = static_cast<std::uint32_t>(lists_.size());
      if (new_key || lists_.back().owner != place.owner) lists_.push_back({place.owner, at, at});
      lists_.back().end = at + 1;
      lists_of_[place.key].end = static_cast<std::uint32_t>(lists_.size());
      places_[at] = place.place;
    }
  }
  /// In insertion order.
  std::span<const Place> of(std::uint32_t owner, std::uint32_t key) const {
    if (key >= lists_of_.size()) return {};
    auto [first, last] = lists_of_[key];
    while (last - first > 4) {
      const std::uint32_t middle = first + (last - first) / 2;
      (lists_[middle].owner <= owner ? first : last) = middle;
    }
    for (; first < last; ++first) {
      const List& list = lists_[first];
      if (list.owner == owner) return {places_.data() + list.begin, places_.data() + list.end};
    }
    return {};
  }
  /// Frees the scratch of building.
  void keep() {
    unsorted_ = {};
    sorted_ = {};
  }
  std::size_t bytes() const {
    return (sizeof(Place) + 2 * sizeof(Unsorted)) * places_.size() + sizeof(List) * lists_.size() +
           sizeof(Positions) * lists_of_.size();
  }

 private:
  struct Unsorted {
    std::uint32_t key;
    std::uint32_t owner;
    Place place;
  };
  /// The places of one key with one owner.
  struct List {
    std::uint32_t owner;
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::vector<Positions> lists_of_;  ///< per key: range in lists_
  std::vector<std::uint32_t> keys_;  ///< keys that have lists
  std::vector<List> lists_;
  std::vector<Place> places_;
  std::vector<Unsorted> unsorted_;
  std::vector<Unsorted> sorted_;
};

}  // namespace espalier
