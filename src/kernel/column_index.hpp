#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "kernel/bags.hpp"

namespace espalier {

/// For each of some vertices, the examples of a slice that have it.
struct Postings {
  struct Entry {
    std::uint32_t example;  ///< counted from the begin of the slice
    double count;
  };
  std::vector<std::uint32_t> begin;  ///< per vertex as numbered here, and one more
  std::vector<Entry> entries;

  /// `item_of` gives the number of a vertex here, or none; there are `items`.
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
        entries[begin[item]++] = {static_cast<std::uint32_t>(i - slice.begin), bag.count(k)};
      }
    }
    for (std::size_t p = items; p > 0; --p) begin[p] = begin[p - 1];
    begin[0] = 0;
  }
  std::span<const Entry> of(std::size_t item) const {
    return {entries.data() + begin[item], entries.data() + begin[item + 1]};
  }
};

/// The inner vertices of the columns of a block (and the leaves, if keys match by degrees), as far
/// as their keys matter: grouped by key, and within a group in runs, whose vertices have children
/// with the same keys. Positions count through all groups; ranks count within one, from 1 on.
class ColumnIndex {
 public:
  struct Group {
    std::uint32_t begin;  ///< positions
    std::uint32_t end;
    std::uint32_t size() const { return end - begin; }
  };
  struct Run {
    std::uint32_t begin;  ///< positions
    std::uint32_t end;
    std::uint32_t children;     ///< how many each vertex has
    std::uint32_t first_child;  ///< in child_rank_
    bool once;                  ///< each vertex is in one column only
    std::uint32_t size() const { return end - begin; }
  };
  /// One of the children of a run.
  struct Place {
    std::uint32_t run;
    std::uint32_t child;
  };

  /// What `rule` says of keys and runs: see PairProduct. `wanted` tells for each key whether it
  /// matters.
  template <class Rule>
  void build(const Bags& bags, Slice columns, const Rule& rule,
             const std::vector<std::uint8_t>& wanted) {
    const Forest& forest = bags.forest();
    group_of_.resize(rule.key_count(forest), none);
    lists_of_.resize(rule.key_count(forest));
    position_.resize(forest.vertex_count(), none);
    clear();
    slice_ = columns;
    collect(bags, columns, rule, wanted);
    cut(forest, rule);
    postings.build(bags, columns, vertices_.size(), position_);
    for (Run& run : runs_) {
      // One by one: a vertex that is in two columns and one that is in none make the same sum.
      run.once = true;
      for (std::uint32_t p = run.begin; p < run.end; ++p) {
        run.once = run.once && postings.begin[p + 1] - postings.begin[p] == 1;
      }
    }
    rank_children(forest, rule);
    list_places(forest, rule);
    for (const VertexId v : vertices_) position_[v] = none;
  }

  bool is_of(Slice columns) const { return slice_ == columns; }
  /// Frees what only build() needs.
  void keep() {
    position_ = {};
    order_ = {};
    unsorted_ = {};
    sorted_ = {};
  }
  /// The number of the group with that key, or none.
  std::uint32_t group_of(std::uint32_t key) const {
    return key < group_of_.size() ? group_of_[key] : none;
  }
  const Group& group(std::uint32_t g) const { return groups_[g]; }
  std::size_t group_count() const { return groups_.size(); }
  std::span<const VertexId> vertices() const { return vertices_; }  ///< per position
  const Run& run(std::uint32_t r) const { return runs_[r]; }
  std::size_t run_count() const { return runs_.size(); }
  /// The runs of a group that have children with that key, and which: in rising order.
  std::span<const Place> places(std::uint32_t group, std::uint32_t child_key) const {
    if (child_key >= lists_of_.size()) return {};
    const auto [first, last] = lists_of_[child_key];
    const auto found =
        std::lower_bound(lists_.begin() + first, lists_.begin() + last, group,
                         [](const List& list, std::uint32_t g) { return list.group < g; });
    if (found == lists_.begin() + last || found->group != group) return {};
    return {places_.data() + found->begin, places_.data() + found->end};
  }
  /// The ranks of one of the children of all vertices of a run; 0 for a leaf, or where the key does
  /// not matter.
  const std::uint32_t* child_ranks(const Run& run, std::uint32_t child) const {
    return child_rank_.data() + run.first_child + std::size_t{child} * run.size();
  }
  std::size_t bytes() const {
    return 16 * postings.entries.size() + 4 * child_rank_.size() + 16 * places_.size() +
           24 * runs_.size() + 12 * vertices_.size();
  }

  Postings postings;  ///< per position

 private:
  /// The places of one child key in one group.
  struct List {
    std::uint32_t group;
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct Lists {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  /// The distinct vertices that count. Weighted bags may lack vertices whose weight is 0, but those
  /// above them need them.
  template <class Rule>
  void collect(const Bags& bags, Slice columns, const Rule& rule,
               const std::vector<std::uint8_t>& wanted) {
    const Forest& forest = bags.forest();
    vertices_.clear();
    const auto collect_one = [&](VertexId v) {
      const bool counts = Rule::graded || !forest.is_leaf(v);
      if (position_[v] != none || !counts || wanted[rule.key(forest, v)] == 0) return;
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

  /// Orders the vertices and cuts them into groups and runs.
  template <class Rule>
  void cut(const Forest& forest, const Rule& rule) {
    order_.clear();
    for (const VertexId v : vertices_) {
      order_.emplace_back(rule.key(forest, v), rule.signature(forest, v), v);
    }
    std::ranges::sort(order_);
    groups_.clear();
    group_keys_.clear();
    runs_.clear();
    for (std::uint32_t p = 0; p < order_.size(); ++p) {
      const auto [key, signature, v] = order_[p];
      const bool new_group = p == 0 || std::get<0>(order_[p - 1]) != key;
      if (new_group) {
        group_of_[key] = static_cast<std::uint32_t>(groups_.size());
        groups_.push_back({p, p});
        group_keys_.push_back(key);
      }
      if (new_group || std::get<1>(order_[p - 1]) != signature) {
        runs_.push_back({p, p, static_cast<std::uint32_t>(forest.children(v).size()), 0, false});
      }
      runs_.back().end = groups_.back().end = p + 1;
      vertices_[p] = v;
      position_[v] = p;
    }
  }

  template <class Rule>
  void rank_children(const Forest& forest, const Rule& rule) {
    child_rank_.clear();
    for (Run& run : runs_) {
      run.first_child = static_cast<std::uint32_t>(child_rank_.size());
      for (std::uint32_t b = 0; b < run.children; ++b) {
        for (std::uint32_t p = run.begin; p < run.end; ++p) {
          const VertexId child = forest.children(vertices_[p])[b];
          child_rank_.push_back(position_[child] == none
                                    ? 0
                                    : 1 + position_[child] -
                                          groups_[group_of_[rule.key(forest, child)]].begin);
        }
      }
    }
  }

  /// For each child key the places that have it, group by group: a counting sort.
  template <class Rule>
  void list_places(const Forest& forest, const Rule& rule) {
    unsorted_.clear();
    lists_.clear();
    child_keys_.clear();
    for (std::uint32_t g = 0, r = 0; g < groups_.size(); ++g) {
      for (; r < runs_.size() && runs_[r].begin < groups_[g].end; ++r) {
        const auto children = forest.children(vertices_[runs_[r].begin]);
        for (std::uint32_t b = 0; b < children.size(); ++b) {
          if (!rule.joins(forest, children[b])) continue;
          const std::uint32_t key = rule.key(forest, children[b]);
          if (lists_of_[key].end++ == 0) child_keys_.push_back(key);
          unsorted_.push_back({key, g, r, b});
        }
      }
    }
    std::uint32_t total = 0;
    for (const std::uint32_t key : child_keys_) {
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
      if (new_key || lists_.back().group != place.group) {
        lists_.push_back({place.group, at, at});
      }
      lists_.back().end = at + 1;
      lists_of_[place.key].end = static_cast<std::uint32_t>(lists_.size());
      places_[at] = {place.run, place.child};
    }
  }

  void clear() {
    for (const std::uint32_t key : group_keys_) group_of_[key] = none;
    for (const std::uint32_t key : child_keys_) lists_of_[key] = {};
  }

  struct Unsorted {
    std::uint32_t key;
    std::uint32_t group;
    std::uint32_t run;
    std::uint32_t child;
  };

  Slice slice_;
  std::vector<std::uint32_t> group_of_;  ///< per key, or none
  std::vector<std::uint32_t> group_keys_;
  std::vector<Group> groups_;
  std::vector<Run> runs_;
  std::vector<VertexId> vertices_;         ///< per position
  std::vector<std::uint32_t> child_rank_;  ///< per run and child, one for each vertex of the run
  std::vector<Lists> lists_of_;            ///< per key
  std::vector<std::uint32_t> child_keys_;  ///< those that have lists
  std::vector<List> lists_;
  std::vector<Place> places_;

  // Scratch of build().
  std::vector<std::uint32_t> position_;  ///< per vertex; none between uses
  std::vector<std::tuple<std::uint32_t, std::uint32_t, VertexId>> order_;
  std::vector<Unsorted> unsorted_;
  std::vector<Unsorted> sorted_;
};

}  // namespace espalier
