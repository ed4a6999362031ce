#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/partial_tree/run_index.hpp"

namespace espalier {

/// Child a of a row's vertex and child b of a run's vertices have the same key.
struct ChildMatch {
  std::uint32_t a;
  std::uint32_t b;
};

/// Columns whose children match those of a row's vertex by the same pattern.
struct MatchBatch {
  std::span<const ChildMatch> matches;  ///< in ascending order of a, then of b
  const std::uint32_t* places;          ///< indices of the columns in the differences
  const std::uint32_t* ranks;           ///< of the matching children: `size` for each match
  std::size_t size;
  std::size_t others;  ///< number of children of the columns
};

/// Which columns match the children of a row's vertex, and how. Vertices with the same signature
/// have children with the same keys: it is computed once per signature, and kept within a part of
/// the memory. Columns with the same match pattern are one batch.
class RunJoins {
 public:
  /// The matching columns of all vertices with one signature.
  struct Join {
    std::uint32_t age = 0;  ///< valid if equal to that of the matcher
    std::uint32_t values;   ///< total size of the ranges
    bool filled_up;         ///< whether some columns of the ranges are in no batch
    Positions batches;      ///< range in batches_
    Positions ranges;       ///< range in ranges_, which is ascending
  };

  /// `memory` is the budget of the whole thread, in bytes.
  explicit RunJoins(std::size_t memory)
      : most_bytes_(std::min(std::size_t{1} << 24, memory / 16)) {}

  /// Upper bound on the memory.
  std::size_t bytes() const { return 2 * most_bytes_; }

  void start(const RunIndex& index, std::size_t signatures) {
    index_ = &index;
    matches_of_run_.assign(index.run_count(), 0);
    join_of_.resize(signatures);
    forget_joins();
  }

  /// The columns that match u. With `whole`, all columns of the group are in one range.
  template <class Rule>
  const Join& of(const Rule& rule, const Forest& forest, VertexId u, std::uint32_t group,
                 bool whole) {
    Join& join = join_of_[rule.signature(forest, u)];
    if (join.age == age_) return join;
    if (sizeof(std::uint32_t) * numbers_.size() > most_bytes_) forget_joins();
    join = {age_, 0, false, {size_of(batches_), 0}, {size_of(ranges_), 0}};
    find_matches(rule, forest, u, group);
    if (!joined_.empty()) {
      list_hits(index_->runs(group), join);
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
  /// Calls rule.differences() for all batches; columns of the ranges that are in none get 0.
  template <class Rule, class Value>
  void compute(const Join& join, Rule& rule, std::span<const Value* const> children,
               Value* out) const {
    if (join.filled_up) std::fill_n(out, join.values, Value(0));
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
  struct Joined {
    std::uint32_t run;
    ChildMatch match;
  };
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

  template <class T>
  static std::uint32_t size_of(const std::vector<T>& values) {
    return static_cast<std::uint32_t>(values.size());
  }

  /// Finds the runs that share a child key with u, and the children that match.
  template <class Rule>
  void find_matches(const Rule& rule, const Forest& forest, VertexId u, std::uint32_t group) {
    joined_.clear();
    const auto children = forest.children(u);
    for (std::uint32_t a = 0; a < children.size(); ++a) {
      const auto places = index_->places(group, rule.key(forest, children[a]));
      const std::size_t before = joined_.size();
      joined_.resize(before + places.size());
      Joined* out = joined_.data() + before;
      for (const auto place : places) {
        ++matches_of_run_[place.run];
        *out++ = {place.run, {a, place.child}};
      }
    }
  }

  /// Lists the matching runs of the group in ascending order, and turns counts into offsets.
  void list_hits(Positions runs, Join& join) {
    hits_.resize(runs.size() + 1);
    std::uint32_t matches = 0;
    std::size_t count = 0;
    for (std::uint32_t r = runs.begin; r < runs.end; ++r) {
      // Branchless: a branch would be unpredictable.
      const std::uint32_t here = std::exchange(matches_of_run_[r], matches);
      hits_[count] = {r, 0, matches, 0};
      count += here > 0 ? 1 : 0;
      join.values += here > 0 ? index_->run(r).size() : 0;
      matches += here;
    }
    hits_[count] = {none, 0, matches, 0};
    hits_.resize(count + 1);
  }

  /// Assigns places to the columns of the hits. If much of a group matches, one range of the whole
  /// group is faster than many short ranges.
  static constexpr std::uint32_t fill_up_from = 3;
  void place_hits(const Positions& group, bool whole, Join& join) {
    const std::span<Hit> hits(hits_.data(), hits_.size() - 1);
    if (whole || fill_up_from * join.values >= group.size()) {
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
    for (const Joined& joined : joined_) found_[matches_of_run_[joined.run]++] = joined.match;
    std::fill_n(matches_of_run_.begin() + runs.begin, runs.size(), 0);
  }

  std::span<const ChildMatch> matches_of(std::size_t hit) const {
    return {found_.data() + hits_[hit].matches, found_.data() + hits_[hit + 1].matches};
  }

  /// Groups runs with the same match pattern into batches.
  void find_batches(bool counts_children) {
    for (std::size_t h = 0; h + 1 < hits_.size(); ++h) {
      const auto matches = matches_of(h);
      const RunIndex::Run& run = index_->run(hits_[h].run);
      std::uint32_t& batch = batch_with(pattern(matches, counts_children));
      if (batch == none) {
        batch = size_of(batches_);
        const std::uint32_t begin = size_of(matches_);
        matches_.insert(matches_.end(), matches.begin(), matches.end());
        batches_.push_back({{begin, size_of(matches_)}, 0, run.children, 0});
      }
      hits_[h].batch = batch;
      batches_[batch].size += run.size();
    }
    for (Known& known : known_) known.batch = none;
  }

  /// The batch of the runs with that pattern; none if it is new, or if the table is full.
  std::uint32_t& batch_with(std::uint64_t pattern) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    constexpr std::size_t most_probes = 8;
    for (std::size_t probe = 0; pattern != unlike && probe < most_probes; ++probe) {
      Known& known = known_[((pattern * odd >> 57) + probe) % std::size(known_)];
      if (known.batch == none) known.pattern = pattern;
      if (known.pattern == pattern) return known.batch;
    }
    return unknown_ = none;
  }

  /// Equal for matches with equal sums over subsequences: the same children of u at the same
  /// distances.
  static constexpr std::uint64_t unlike = ~std::uint64_t{0};
  static std::uint64_t pattern(std::span<const ChildMatch> matches, bool counts_children) {
    if (matches.size() > 4 || counts_children) return unlike;
    std::uint64_t out = matches.size();
    for (const ChildMatch& match : matches) {
      const std::uint32_t distance = 64 + match.b - matches[0].b;
      if (match.a >= 256 || distance >= 128) return unlike;
      out = out << 15 | match.a << 7 | distance;
    }
    return out;
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
  std::size_t most_bytes_;  ///< of numbers_
  std::uint32_t age_ = 0;
  std::vector<Join> join_of_;  ///< per signature
  std::vector<Batch> batches_;
  std::vector<ChildMatch> matches_;
  std::vector<std::uint32_t> numbers_;  ///< places and ranks of the batches
  std::vector<Positions> ranges_;

  // Scratch for a join. The last hit is a sentinel.
  std::vector<Joined> joined_;
  std::vector<Hit> hits_;
  std::vector<ChildMatch> found_;
  struct Known {
    std::uint64_t pattern = 0;
    std::uint32_t batch = none;
  };
  Known known_[128];  ///< hash table of patterns; empty between joins
  std::uint32_t unknown_ = none;
  std::vector<std::uint32_t> filled_;          ///< per batch
  std::vector<std::uint32_t> matches_of_run_;  ///< per run: count, then offset of the next match
};

}  // namespace espalier
