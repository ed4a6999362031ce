#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/fast_paths.hpp"
#include "engine/partial_tree/match_patterns.hpp"
#include "engine/partial_tree/run_by_run.hpp"
#include "engine/partial_tree/run_index.hpp"

namespace espalier {

/// Which columns match the children of a row's vertex, and how. Vertices with the same signature
/// have children with the same keys: it is computed once per signature, and kept within a part of
/// the memory. Columns with the same match pattern are one batch. Where there are too many matches
/// to be listed, they are found anew for each vertex (RunByRun).
class RunJoins {
 public:
  /// The matching columns of all vertices with one signature.
  struct Join {
    std::uint32_t age = 0;  ///< valid if equal to that of the matcher
    std::uint32_t values;   ///< total size of the ranges
    bool filled_up;         ///< whether some columns of the ranges are in no batch
    bool large;             ///< too large for batches: RunByRun
    Positions batches;      ///< range in batches_
    Positions ranges;       ///< range in ranges_, which is ascending

    bool empty() const { return !large && batches.size() == 0; }
  };

  /// `memory` is the budget of the whole thread, in bytes.
  explicit RunJoins(std::size_t memory)
      : most_bytes_(FastPaths::used().batches ? std::min(std::size_t{1} << 25, memory / 16) : 0),
        fill_up_from_(FastPaths::used().short_ranges ? 3 : none) {}

  /// Upper bound on the memory, with what vectors reserve.
  std::size_t bytes() const { return 3 * most_bytes_; }

  void start(const RunIndex& index, std::size_t keys, std::size_t signatures) {
    index_ = &index;
    matches_of_run_.assign(index.run_count(), 0);
    seen_in_.assign(keys, 0);
    join_count_ = 0;
    join_of_.resize(signatures);
    forget_joins();
  }

  /// The columns that match u. With `whole`, all columns of the group are in one range.
  template <class Rule>
  const Join& of(const Rule& rule, const Forest& forest, VertexId u, std::uint32_t group,
                 bool whole) {
    Join& join = join_of_[rule.signature(forest, u)];
    if (join.age == age_) return join;
    if (bytes_listed() > most_bytes_ / 2) forget_joins();
    join = {age_, 0, false, false, {size_of(batches_), 0}, {size_of(ranges_), 0}};
    if (!find_matches(rule, forest, u, group) || !list_hits(index_->runs(group), join)) {
      forget_matches(index_->runs(group));
      join.large = join.filled_up = true;
      join.values = index_->group(group).size();
      ranges_.push_back(index_->group(group));
    } else if (!joined_.empty()) {
      place_hits(index_->group(group), whole, join);
      sort_matches(index_->runs(group));
      find_batches(rule.counts_children());
      fill_batches(join.batches.begin);
    }
    join.batches.end = size_of(batches_);
    join.ranges.end = size_of(ranges_);
    return join;
  }

  std::span<const Positions> ranges_of(const Join& join) const {
    return {ranges_.data() + join.ranges.begin, join.ranges.size()};
  }
  /// The differences of u in all ranges of the join; `children` are the rows of its children.
  template <class Rule, class Value>
  void compute(const Join& join, Rule& rule, const Forest& forest, VertexId u, std::uint32_t group,
               std::span<const Value* const> children, Value* out) {
    if (join.filled_up) std::fill_n(out, join.values, Value(0));
    if (join.large) {
      run_by_run_.compute(*index_, rule, forest, u, group, children, out);
      return;
    }
    for (std::uint32_t b = join.batches.begin; b < join.batches.end; ++b) {
      const Batch& batch = batches_[b];
      const std::uint32_t* const places = numbers_.data() + batch.first_number;
      const MatchBatch columns{{matches_.data() + batch.matches.begin, batch.matches.size()},
                               places,
                               places + batch.size,
                               batch.size,
                               batch.others};
      rule.differences(children, columns, out);
    }
  }

 private:
  struct Batch {
    Positions matches;  ///< range in matches_
    std::uint32_t size;
    std::uint32_t others;
    std::size_t first_number;  ///< index into numbers_: places, then ranks match by match
  };
  using Joined = std::pair<std::uint32_t, ChildMatch>;  ///< a run, and a match in it
  /// A run in which D differs from base.
  struct Hit {
    std::uint32_t run;
    std::uint32_t place;    ///< index of its first column in the differences
    std::uint32_t matches;  ///< where they begin in found_
    std::uint32_t batch;
  };

  void forget_joins() {
    ++age_;
    batches_.clear();
    matches_.clear();
    numbers_.clear();
    ranges_.clear();
  }

  static std::uint32_t size_of(const auto& values) {
    return static_cast<std::uint32_t>(values.size());
  }

  std::size_t bytes_listed() const {
    return sizeof(std::uint32_t) * numbers_.size() + sizeof(Batch) * batches_.size() +
           sizeof(ChildMatch) * matches_.size() + sizeof(Positions) * ranges_.size();
  }

  /// Finds the runs that share a child key with u, and the children that match; false if these are
  /// too many.
  template <class Rule>
  bool find_matches(const Rule& rule, const Forest& forest, VertexId u, std::uint32_t group) {
    joined_.clear();
    ++join_count_;
    const std::size_t most = most_bytes_ / 2 / (sizeof(Joined) + 2 * sizeof(ChildMatch));
    const auto children = forest.children(u);
    for (std::uint32_t a = 0; a < children.size(); ++a) {
      const std::uint32_t key = rule.key(forest, children[a]);
      if constexpr (Rule::matching == ChildMatching::by_key) {
        if (std::exchange(seen_in_[key], join_count_) == join_count_) continue;
      }
      const auto places = index_->places(group, key);
      const std::size_t before = joined_.size();
      if (before + places.size() > most) return false;
      joined_.resize(before + places.size());
      Joined* out = joined_.data() + before;
      for (const auto place : places) {
        if constexpr (Rule::matching == ChildMatching::aligned) {
          if (place.child != a) continue;
        }
        ++matches_of_run_[place.run];
        *out++ = {place.run, {a, place.child}};
      }
      if constexpr (Rule::matching == ChildMatching::aligned) {
        joined_.resize(static_cast<std::size_t>(out - joined_.data()));
      }
    }
    return true;
  }

  /// Lists the matching runs of the group in ascending order, and turns counts into offsets. False
  /// if their batches would be too large.
  bool list_hits(Positions runs, Join& join) {
    if (joined_.empty()) return true;
    hits_.resize(runs.size() + 1);
    std::uint32_t matches = 0;
    std::size_t count = 0;
    std::size_t numbers = 0;
    for (std::uint32_t r = runs.begin; r < runs.end; ++r) {
      // Branchless: a branch would be unpredictable.
      const std::uint32_t here = std::exchange(matches_of_run_[r], matches);
      hits_[count] = {r, 0, matches, 0};
      count += here > 0 ? 1 : 0;
      join.values += here > 0 ? index_->run(r).size() : 0;
      numbers += std::size_t{here} * index_->run(r).size();
      matches += here;
    }
    hits_[count] = {none, 0, matches, 0};
    hits_.resize(count + 1);
    return sizeof(std::uint32_t) * (numbers + join.values) <= most_bytes_ / 2;
  }
  void forget_matches(Positions runs) {
    std::fill_n(matches_of_run_.begin() + runs.begin, runs.size(), 0);
  }

  /// Assigns places to the columns of the hits. If much of a group matches, one range of the whole
  /// group is faster than many short ranges.
  void place_hits(const Positions& group, bool whole, Join& join) {
    const std::span<Hit> hits(hits_.data(), hits_.size() - 1);
    if (whole || std::size_t{fill_up_from_} * join.values >= group.size()) {
      join.filled_up = join.values < group.size();
      join.values = group.size();
      ranges_.push_back(group);
      for (Hit& hit : hits) hit.place = index_->run(hit.run).begin - group.begin;
      return;
    }
    std::uint32_t place = 0;
    for (Hit& hit : hits) {
      const RunIndex::Run& run = index_->run(hit.run);
      hit.place = place;
      place += run.size();
      if (ranges_.size() > join.ranges.begin && ranges_.back().end == run.begin) {
        ranges_.back().end = run.end;
      } else {
        ranges_.push_back({run.begin, run.end});
      }
    }
  }

  /// Sorts the matches by run.
  void sort_matches(Positions runs) {
    found_.resize(joined_.size());
    for (const auto& [run, match] : joined_) found_[matches_of_run_[run]++] = match;
    forget_matches(runs);
  }

  std::span<const ChildMatch> matches_of(std::size_t hit) const {
    return {found_.data() + hits_[hit].matches, found_.data() + hits_[hit + 1].matches};
  }

  /// Groups runs with the same match pattern into batches.
  void find_batches(bool counts_children) {
    for (std::size_t h = 0; h + 1 < hits_.size(); ++h) {
      const auto matches = matches_of(h);
      const RunIndex::Run& run = index_->run(hits_[h].run);
      std::uint32_t& batch = patterns_.batch_of(matches, counts_children);
      if (batch == none) {
        batch = size_of(batches_);
        const std::uint32_t begin = size_of(matches_);
        matches_.insert(matches_.end(), matches.begin(), matches.end());
        batches_.push_back({{begin, size_of(matches_)}, 0, run.children, 0});
      }
      hits_[h].batch = batch;
      batches_[batch].size += run.size();
    }
    patterns_.forget();
  }

  void fill_batches(std::uint32_t first) {
    std::size_t end = numbers_.size();
    for (std::uint32_t b = first; b < batches_.size(); ++b) {
      batches_[b].first_number = end;
      end += (batches_[b].matches.size() + std::size_t{1}) * batches_[b].size;
    }
    numbers_.resize(end);
    filled_.assign(batches_.size() - first, 0);
    for (std::size_t h = 0; h + 1 < hits_.size(); ++h) {
      const Batch& batch = batches_[hits_[h].batch];
      const RunIndex::Run& run = index_->run(hits_[h].run);
      std::uint32_t& filled = filled_[hits_[h].batch - first];
      std::uint32_t* out = numbers_.data() + batch.first_number + filled;
      filled += run.size();
      if (run.size() == 1) {
        // The most common case: faster without loops.
        *out = hits_[h].place;
        const std::uint32_t* const ranks = index_->child_ranks(run, 0);
        for (const ChildMatch& match : matches_of(h)) {
          out += batch.size;
          *out = ranks[match.b];
        }
        continue;
      }
      for (std::uint32_t k = 0; k < run.size(); ++k) out[k] = hits_[h].place + k;
      for (const ChildMatch& match : matches_of(h)) {
        out += batch.size;
        const std::uint32_t* const ranks = index_->child_ranks(run, match.b);
        std::copy_n(ranks, run.size(), out);
      }
    }
  }

  const RunIndex* index_ = nullptr;
  std::size_t most_bytes_;
  std::uint32_t fill_up_from_;  ///< if 1 of so many columns of a group match, all are computed
  std::uint32_t age_ = 0;
  std::vector<Join> join_of_;  ///< per signature
  std::vector<Batch> batches_;
  std::vector<ChildMatch> matches_;
  std::vector<std::uint32_t> numbers_;  ///< places and ranks of the batches
  std::vector<Positions> ranges_;
  RunByRun run_by_run_;

  // Scratch for a join. The last hit is a sentinel.
  std::vector<Joined> joined_;
  std::vector<Hit> hits_;
  std::vector<ChildMatch> found_;
  MatchPatterns patterns_;                     ///< empty between joins
  std::vector<std::uint32_t> filled_;          ///< per batch
  std::vector<std::uint32_t> matches_of_run_;  ///< per run: count, then offset of the next match
  std::uint32_t join_count_ = 0;
  std::vector<std::uint32_t> seen_in_;  ///< per key: the last join with such a child
};

}  // namespace espalier
