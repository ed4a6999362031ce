#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/column_groups.hpp"

namespace espalier {

/// Columns grouped by key. Each group is divided into runs: vertices whose children have the same
/// keys.
class RunIndex : public ColumnGroups {
 public:
  struct Run {
    std::uint32_t begin;  ///< positions
    std::uint32_t end;
    std::uint32_t children;     ///< number of children of each vertex
    std::uint32_t first_child;  ///< index into child_rank_
    std::uint32_t size() const { return end - begin; }
  };
  /// One of the children of a run.
  struct Place {
    std::uint32_t run;
    std::uint32_t child;
  };

  template <class Rule>
  void build(const Bags& bags, Slice columns, const Rule& rule, const ContentHashes& hashes,
             const std::vector<std::uint8_t>& wanted) {
    const Forest& forest = bags.forest();
    group(bags, columns, rule, hashes, wanted);
    cut_runs(forest, rule);
    rank_children(forest, rule);
    list_places(forest, rule);
    forget_positions();
  }

  const Run& run(std::uint32_t r) const { return runs_[r]; }
  /// The runs of a group.
  Positions runs(std::uint32_t group) const { return {first_run_[group], first_run_[group + 1]}; }
  std::size_t run_count() const { return runs_.size(); }
  /// The children of the runs of a group that match and have that key, in ascending order.
  std::span<const Place> places(std::uint32_t group, std::uint32_t child_key) const {
    const std::uint32_t number = child_keys_.of(child_key);
    if (number == none) return {};
    const auto all = places_.of(number);
    const auto first = std::ranges::lower_bound(all, first_run_[group], {}, &Place::run);
    const auto last =
        std::ranges::lower_bound(first, all.end(), first_run_[group + 1], {}, &Place::run);
    return {first, last};
  }
  /// The rank of one child of each vertex of a run; 0 for a leaf, or if no row can match its key.
  const std::uint32_t* child_ranks(const Run& run, std::uint32_t child) const {
    return child_rank_.data() + run.first_child + std::size_t{child} * run.size();
  }
  std::size_t bytes() const {
    return ColumnGroups::bytes() + child_keys_.bytes() + places_.bytes() + 4 * child_rank_.size() +
           16 * runs_.size();
  }

 private:
  template <class Rule>
  void cut_runs(const Forest& forest, const Rule& rule) {
    runs_.clear();
    first_run_.clear();
    for (std::uint32_t g = 0; g < group_count(); ++g) {
      first_run_.push_back(static_cast<std::uint32_t>(runs_.size()));
      for (std::uint32_t p = group(g).begin; p < group(g).end; ++p) {
        const VertexId v = vertices()[p];
        if (p == group(g).begin ||
            rule.signature(forest, v) != rule.signature(forest, vertices()[p - 1])) {
          runs_.push_back({p, p, static_cast<std::uint32_t>(forest.children(v).size()), 0});
        }
        runs_.back().end = p + 1;
      }
    }
    first_run_.push_back(static_cast<std::uint32_t>(runs_.size()));
  }

  template <class Rule>
  void rank_children(const Forest& forest, const Rule& rule) {
    child_rank_.clear();
    for (Run& run : runs_) {
      run.first_child = static_cast<std::uint32_t>(child_rank_.size());
      for (std::uint32_t b = 0; b < run.children; ++b) {
        for (std::uint32_t p = run.begin; p < run.end; ++p) {
          child_rank_.push_back(rank(forest, rule, forest.children(vertices()[p])[b]));
        }
      }
    }
  }

  template <class Rule>
  void list_places(const Forest& forest, const Rule& rule) {
    child_keys_.start(rule.key_count(forest));
    for (const Run& run : runs_) {
      for (const VertexId child : forest.children(vertices()[run.begin])) {
        if (rule.matches(forest, child)) child_keys_.add(rule.key(forest, child));
      }
    }
    places_.build(child_keys_.size(), [&](auto&& visit) {
      for (std::uint32_t r = 0; r < runs_.size(); ++r) {
        const auto children = forest.children(vertices()[runs_[r].begin]);
        for (std::uint32_t b = 0; b < children.size(); ++b) {
          if (!rule.matches(forest, children[b])) continue;
          visit(child_keys_.of(rule.key(forest, children[b])), Place{r, b});
        }
      }
    });
  }

  std::vector<Run> runs_;
  std::vector<std::uint32_t> first_run_;   ///< per group, and one more
  std::vector<std::uint32_t> child_rank_;  ///< per run and child, one for each vertex of the run
  Numbering child_keys_;
  Lists<Place> places_;  ///< per number of a child key, in ascending order of runs
};

}  // namespace espalier
