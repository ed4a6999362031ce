#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cancel.hpp"
#include "engine/lists.hpp"
#include "engine/partial_tree/match_batch.hpp"
#include "engine/partial_tree/run_index.hpp"

namespace espalier {

/// Computes the columns that match a row's vertex run by run, without a list of all matches: for
/// vertices with so many that RunJoins would not fit the memory. Values have the same bits. The
/// memory is linear in the children of the vertex and of one run.
class RunByRun {
 public:
  /// Adds the differences of the matching columns to `out`, one for each column of the group.
  template <class Rule, class Value>
  void compute(const RunIndex& index, Rule& rule, const Forest& forest, VertexId u,
               std::uint32_t group, std::span<const Value* const> children, Value* out) {
    number_keys(rule, forest, forest.children(u));
    const Positions runs = index.runs(group);
    for (std::uint32_t r = runs.begin; r < runs.end; ++r) {
      check_cancelled();
      const RunIndex::Run& run = index.run(r);
      const auto others = forest.children(index.vertices()[run.begin]);
      const std::size_t count = list_others(rule, forest, others);
      if (count == 0) continue;
      const std::uint32_t place = run.begin - index.group(group).begin;
      if constexpr (Rule::matching == ChildMatching::all) {
        if (rule.is_table(count, children.size(), others.size())) {
          rule.table(
              children, others.size(), run.size(),
              [&](std::uint32_t a) { return others_of(key_of_child_[a]); },
              [&](const ChildMatch& match) { return index.child_ranks(run, match.b); },
              [&](std::size_t k) { return place + k; }, out);
          continue;
        }
      }
      list_matches(Rule::matching);
      if (!matches_.empty()) compute_listed(index, run, place, rule, children, out);
    }
  }

 private:
  /// Groups the children of the vertex by key.
  template <class Rule>
  void number_keys(const Rule& rule, const Forest& forest, std::span<const VertexId> children) {
    keys_.start(rule.key_count(forest));
    key_of_child_.clear();
    for (const VertexId child : children) {
      key_of_child_.push_back(keys_.add(rule.key(forest, child)));
    }
    children_.build(keys_.size(), [&](auto&& visit) {
      for (std::uint32_t a = 0; a < children.size(); ++a) visit(key_of_child_[a], a);
    });
  }

  /// Groups the children of a run by those keys. Returns the number of pairs with equal keys.
  template <class Rule>
  std::size_t list_others(const Rule& rule, const Forest& forest,
                          std::span<const VertexId> others) {
    key_of_other_.clear();
    found_.start(keys_.size());
    for (const VertexId other : others) {
      key_of_other_.push_back(rule.matches(forest, other) ? keys_.of(rule.key(forest, other))
                                                          : none);
      if (key_of_other_.back() != none) found_.add(key_of_other_.back());
    }
    others_.build(found_.size(), [&](auto&& visit) {
      for (std::uint32_t b = 0; b < others.size(); ++b) {
        if (key_of_other_[b] != none) visit(found_.of(key_of_other_[b]), ChildMatch{0, b});
      }
    });
    std::size_t count = 0;
    for (const std::uint32_t key : found_.ids()) {
      count += children_.of(key).size() * others_of(key).size();
    }
    return count;
  }
  std::span<const ChildMatch> others_of(std::uint32_t key) const {
    const std::uint32_t number = found_.of(key);
    return number == none ? std::span<const ChildMatch>() : others_.of(number);
  }

  /// In the order of RunJoins.
  void list_matches(ChildMatching matching) {
    matches_.clear();
    if (matching == ChildMatching::aligned) {
      const std::size_t both = std::min(key_of_child_.size(), key_of_other_.size());
      for (std::uint32_t a = 0; a < both; ++a) {
        if (key_of_child_[a] == key_of_other_[a]) matches_.push_back({a, a});
      }
      return;
    }
    found_keys_ = found_.ids();
    std::ranges::sort(found_keys_);
    for (const std::uint32_t key : found_keys_) {
      auto children = children_.of(key);
      if (matching == ChildMatching::by_key) children = children.first(1);
      for (const std::uint32_t a : children) {
        for (const ChildMatch& other : others_of(key)) matches_.push_back({a, other.b});
      }
    }
    if (matching == ChildMatching::all) std::ranges::sort(matches_);
  }

  /// As many columns at a time as fit the cache.
  template <class Rule, class Value>
  void compute_listed(const RunIndex& index, const RunIndex::Run& run, std::uint32_t place,
                      Rule& rule, std::span<const Value* const> children, Value* out) {
    constexpr std::size_t most_numbers = 1 << 14;
    const std::size_t widest = std::max<std::size_t>(1, most_numbers / matches_.size());
    for (std::size_t at = 0; at < run.size(); at += widest) {
      const std::size_t width = std::min(widest, run.size() - at);
      numbers_.clear();
      for (std::size_t k = 0; k < width; ++k) {
        numbers_.push_back(place + static_cast<std::uint32_t>(at + k));
      }
      for (const ChildMatch& match : matches_) {
        const std::uint32_t* const ranks = index.child_ranks(run, match.b) + at;
        numbers_.insert(numbers_.end(), ranks, ranks + width);
      }
      rule.differences(
          children,
          MatchBatch{matches_, numbers_.data(), numbers_.data() + width, width, run.children}, out);
    }
  }

  // Keys are numbered in the order of the vertex's children.
  Numbering keys_;
  std::vector<std::uint32_t> key_of_child_;  ///< per child
  Lists<std::uint32_t> children_;            ///< per key

  // Of a run.
  std::vector<std::uint32_t> key_of_other_;  ///< per child: the key, or none
  Numbering found_;                          ///< keys with children
  std::vector<std::uint32_t> found_keys_;    ///< the same, ascending
  Lists<ChildMatch> others_;                 ///< per number in found_; only b matters
  std::vector<ChildMatch> matches_;
  std::vector<std::uint32_t> numbers_;  ///< places and ranks
};

}  // namespace espalier
