#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernel/differences.hpp"
#include "kernel/run_index.hpp"

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

/// A matcher (see PairProduct) for kernels whose children match at any position. Vertices with the
/// same signature have children with the same keys: which runs of columns share a child key with a
/// vertex, and which children match, is computed once per signature. Only pairs that differ from
/// base are visited, and those with the same match pattern are computed together.
///
/// In addition to the requirements of PairProduct, the Rule has signature(forest, vertex);
/// signature_count(forest); counts_children(), whether the number of children matters beyond those
/// that match; and
///     differences(children, batch, out)
/// which writes D(u,v) - base for all columns of a batch to their places; `children` are the rows
/// of u's children. A graded rule leaves out the degree, and has
///     adds_base(forest, u)            whether differences are D itself
///     grade(values)                   which turns the differences of a whole group into D
template <class Rule>
class RunMatcher : public Rule {
 public:
  using Value = typename Rule::Value;
  using Index = RunIndex;

  /// `memory` is the budget of the whole thread, in bytes.
  RunMatcher(Rule rule, std::size_t memory)
      : Rule(std::move(rule)), most_bytes_(std::min(std::size_t{1} << 24, memory / 16)) {}

  /// Upper bound on the memory of the cache.
  std::size_t bytes() const { return 2 * most_bytes_; }

  void start(const Forest& forest, const RunIndex& index) {
    index_ = &index;
    matches_of_run_.assign(index.run_count(), 0);
    join_of_.resize(Rule::signature_count(forest));
    forget_joins();
  }

  template <class RowOf>
  Differences<Value> differences_of(const Forest& forest, VertexId u, std::uint32_t group,
                                    RowOf&& row_of) {
    const Join& join = join_of(forest, u, group);
    if (join.batches.size() == 0) return {};
    if (values_.size() < join.values) values_.resize(join.values);
    take_children(forest, u, row_of);
    compute(join, values_.data());
    return {ranges_of(join), values_.data()};
  }

  /// For a graded rule: differences times degrees. Sets `row` to the values D of the whole group,
  /// unless it is null.
  template <class RowOf>
  Differences<Value> graded_differences_of(const Forest& forest, VertexId u, std::uint32_t group,
                                           RowOf&& row_of, Value* row) {
    const Join& join = join_of(forest, u, group);
    const bool matches = join.batches.size() > 0;
    if (matches) take_children(forest, u, row_of);  // before start_row(), which this may call
    Rule::start_row(forest, u, index_->group(group));
    whole_ = index_->group(group);
    const bool whole = Rule::adds_base(forest, u);
    if (!whole && row != nullptr) Rule::set_base_row(row);
    if (!whole && !matches) return {};
    const std::size_t size = matches ? join.values : whole_.size();
    if (values_.size() < size) values_.resize(size);
    // If the differences are D itself, they are computed in place.
    Value* const values = whole && row != nullptr ? row : values_.data();
    if (matches) {
      compute(join, values);
    } else {
      std::fill_n(values, size, Value(0));
    }
    if (whole) {
      Rule::grade(values);
      return {{&whole_, 1}, values};
    }
    if (row != nullptr) add(ranges_of(join), values, row);
    return {ranges_of(join), values};
  }

 private:
  struct Batch {
    Positions matches;  ///< range in matches_
    std::uint32_t size;
    std::uint32_t others;
    std::size_t first_number;  ///< index into numbers_: places, then ranks match by match
  };
  /// The matching columns of all vertices with one signature.
  struct Join {
    std::uint32_t age = 0;  ///< valid if equal to that of the matcher
    std::uint32_t values;   ///< total size of the ranges
    bool filled_up;         ///< whether some columns of the ranges are in no batch
    Positions batches;      ///< range in batches_
    Positions ranges;       ///< range in ranges_, which is ascending
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

  std::span<const Positions> ranges_of(const Join& join) const {
    return {ranges_.data() + join.ranges.begin, join.ranges.size()};
  }

  void add(std::span<const Positions> ranges, const Value* difference, Value* row) const {
    for (const Positions& range : ranges) {
      Value* const out = row + (range.begin - whole_.begin);
      for (std::uint32_t k = 0; k < range.size(); ++k) out[k] += *difference++;
    }
  }

  template <class RowOf>
  void take_children(const Forest& forest, VertexId u, RowOf&& row_of) {
    children_.clear();
    for (const VertexId child : forest.children(u)) children_.push_back(row_of(child));
  }

  void compute(const Join& join, Value* out) {
    if (join.filled_up) std::fill_n(out, join.values, Value(0));
    for (std::uint32_t b = join.batches.begin; b < join.batches.end; ++b) {
      const Batch& batch = batches_[b];
      const std::uint32_t* const places = numbers_.data() + batch.first_number;
      const MatchBatch columns{{matches_.data() + batch.matches.begin, batch.matches.size()},
                               places,
                               places + batch.size,
                               batch.size,
                               batch.others};
      Rule::differences(children_, columns, out);
    }
  }

  const Join& join_of(const Forest& forest, VertexId u, std::uint32_t group) {
    Join& join = join_of_[Rule::signature(forest, u)];
    if (join.age == age_) return join;
    if (sizeof(std::uint32_t) * numbers_.size() > most_bytes_) forget_joins();
    join = {age_, 0, false, {size_of(batches_), 0}, {size_of(ranges_), 0}};
    find_matches(forest, u, group);
    if (!joined_.empty()) {
      list_hits(index_->runs(group), join);
      place_hits(index_->group(group), needs_whole(forest, u), join);
      sort_matches(index_->runs(group));
      find_batches();
      fill_batches(join.batches.begin);
    }
    join.batches.end = size_of(batches_);
    join.ranges.end = size_of(ranges_);
    return join;
  }

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
  void find_matches(const Forest& forest, VertexId u, std::uint32_t group) {
    joined_.clear();
    const auto children = forest.children(u);
    for (std::uint32_t a = 0; a < children.size(); ++a) {
      const auto places = index_->places(group, Rule::key(forest, children[a]));
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

  bool needs_whole(const Forest& forest, VertexId u) const {
    if constexpr (Rule::graded) return Rule::adds_base(forest, u);
    return false;
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
  void find_batches() {
    for (std::size_t h = 0; h + 1 < hits_.size(); ++h) {
      const auto matches = matches_of(h);
      const RunIndex::Run& run = index_->run(hits_[h].run);
      std::uint32_t& batch = batch_with(pattern(matches));
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
  std::uint64_t pattern(std::span<const ChildMatch> matches) const {
    if (matches.size() > 4 || Rule::counts_children()) return unlike;
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
      end += (batches_[b].matches.size() + 1) * batches_[b].size;
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
  std::vector<const Value*> children_;  ///< rows of the children of the current vertex
  std::vector<Value> values_;
  Positions whole_{};  ///< the group of the current vertex

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
