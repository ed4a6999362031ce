#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/cancel.hpp"
#include "kernel/column_index.hpp"
#include "kernel/row_index.hpp"
#include "kernel/row_memory.hpp"

namespace espalier {

/// What is known of the vertices of a forest once for all blocks.
struct VertexFacts {
  explicit VertexFacts(const Forest& forest);
  std::vector<std::uint8_t> shared;  ///< in more than one tree
};

/// Child a of a row's vertex and child b of a run's vertices have the same key.
struct ChildMatch {
  std::uint32_t a;
  std::uint32_t b;
};

/// Computes blocks of out(i, j) += sum of f_u(i) f_v(j) (D(u,v) - base) over the inner vertices u
/// of row i and v of column j that have the same key. D is given by a Rule, bottom-up; most pairs
/// have the value `base`, and what these sum up to is a product of counts, which costs nothing per
/// pair.
///
/// A pair differs from base only if two children have the same key. The columns come in runs whose
/// children have the same keys, and an index tells which runs have a child with a given key: so
/// only pairs that differ are ever looked at, and which children match is found once for a whole
/// run.
///
/// For each u, the values D(u, .) of one group of columns are a row; the rows of u's children are
/// all that is needed to compute it, and they are short enough to stay near the processor. Rows are
/// kept as long as a parent needs them. The order of summation does not depend on the block.
///
/// A Rule has: Value (double, a Lanes or a Scaled); key(forest, vertex); key_count(forest);
/// signature(forest, vertex), equal when the children have the same keys in the same order;
/// joins(forest, child), whether a match of that child can change D; any_place, whether children
/// match at different places; base(); leaf_base(), D where one of the two is a leaf; and
///     extras(children, matches, index, run, out)
/// which writes D(u,v) - base for all v of a run. `children` are those of u: for each the values
/// D(child, .) of the columns with its key, by rank. Matches come in rising order of a, then of b.
///
/// A rule may be graded: two vertices with the same key match by a degree from 0 to 1, which is a
/// factor of D, base included. Then leaves are among the columns, because the degree of a leaf and
/// another vertex depends on both, and the rule has as well
///     start_block(rows, columns, forest, index)
///     start_row(forest, u, group)     after which extras(..) are those of u
///     set_base_row(row)               its degree times base with each vertex of the group
/// Not for several threads at once: each has its own.
template <class Rule>
class PairProduct {
 public:
  using Value = typename Rule::Value;

  /// `prepared` is an index of all columns that does not ask which keys matter; or null.
  PairProduct(const Bags& rows, const Bags& columns, const VertexFacts& facts, Rule rule,
              const ColumnIndex* prepared)
      : columns_(columns),
        forest_(rows.forest()),
        facts_(facts),
        rule_(std::move(rule)),
        prepared_(prepared),
        row_index_(rows),
        in_rows_(rule_.key_count(forest_), 0),
        row_of_(forest_.vertex_count(), nullptr),
        kept_group_(forest_.vertex_count(), none) {}

  void add_block(Slice rows, Slice columns, BlockView<Value> out) {
    index(rows, columns);
    sums_.assign(columns.size(), Value(0));
    in_sums_.assign(columns.size(), 0);
    matches_of_run_.assign(index_->run_count(), 0);
    memory_.start(index_->group_count());
    if constexpr (Rule::graded) {
      rule_.start_block(rows, columns, forest_, *index_);
    } else {
      lay_out_common_rows();
    }
    if (is_narrow(columns)) lay_out_counts();
    for (std::size_t r = 0; r < row_index_.vertices.size(); ++r) {
      if (r % 64 == 0) check_cancelled();
      const VertexId u = row_index_.vertices[r];
      const std::uint32_t group = index_->group_of(rule_.key(forest_, u));
      if (group != none) {
        join(u, group);
        if (!hits_.empty()) {
          if constexpr (Rule::graded) rule_.start_row(forest_, u, index_->group(group));
          compute_extras();
          if (row_index_.last_use(u) != none) keep_row(u, group);
          if (is_narrow(columns)) {
            add_to_narrow(out, columns.size(), r, facts_.shared[u] != 0);
          } else {
            add_to(out, r, facts_.shared[u] != 0);
          }
        }
      }
      give_back_rows_below(u);
    }
    for (const VertexId v : row_index_.vertices) row_of_[v] = nullptr;
  }

  /// What add_block needs beside its output, in bytes, at the most.
  /// The index that this takes is kept: an add_block of the same slices next costs nothing more.
  std::size_t bytes(Slice rows, Slice columns) {
    index(rows, columns);
    const std::size_t counts = is_narrow(columns) ? narrow * index_->vertices().size() : 0;
    return (most_values() + counts) * sizeof(Value) + (prepared_ ? 0 : own_index_.bytes()) +
           16 * row_index_.postings.entries.size() + 16 * row_index_.vertices.size();
  }

 private:
  struct Joined {
    std::uint32_t run;
    ChildMatch match;
  };
  /// A run in which D differs from base, and where its matches begin.
  struct Hit {
    std::uint32_t run;
    std::uint32_t first_match;
  };

  void index(Slice rows, Slice columns) {
    if (indexed_ && indexed_rows_ == rows && indexed_columns_ == columns) return;
    row_index_.build(rows);
    if (prepared_ != nullptr) {
      if (!prepared_->is_of(columns)) throw std::logic_error("columns were prepared all together");
      index_ = prepared_;
    } else {
      mark_keys(1);
      own_index_.build(columns_, columns, rule_, in_rows_);
      mark_keys(0);
      index_ = &own_index_;
    }
    indexed_ = true;
    indexed_rows_ = rows;
    indexed_columns_ = columns;
  }

  void mark_keys(std::uint8_t mark) {
    for (const VertexId v : row_index_.vertices) {
      in_rows_[rule_.key(forest_, v)] = mark;
      if constexpr (!Rule::graded) continue;
      for (const VertexId child : forest_.children(v)) in_rows_[rule_.key(forest_, child)] = mark;
    }
  }

  /// Finds the runs that share a child key with u, and the children that match.
  void join(VertexId u, std::uint32_t group) {
    joined_.clear();
    hits_.clear();
    children_.clear();
    const auto children = forest_.children(u);
    for (std::uint32_t a = 0; a < children.size(); ++a) {
      children_.push_back(row_of(children[a]));
      if (!rule_.joins(forest_, children[a])) continue;
      for (const auto place : index_->places(group, rule_.key(forest_, children[a]))) {
        if (!Rule::any_place && place.child != a) continue;
        if (matches_of_run_[place.run]++ == 0) hits_.push_back({place.run, 0});
        joined_.push_back({place.run, {a, place.child}});
      }
    }
  }

  /// Gives each run its matches, then lets the rule compute.
  void compute_extras() {
    std::uint32_t matches = 0;
    std::size_t values = 0;
    for (Hit& hit : hits_) {
      hit.first_match = matches;
      matches += std::exchange(matches_of_run_[hit.run], matches);
      values += index_->run(hit.run).size();
    }
    matches_.resize(matches);
    for (const Joined& joined : joined_) matches_[matches_of_run_[joined.run]++] = joined.match;
    if (extras_.size() < values) extras_.resize(values);
    Value* out = extras_.data();
    for (const Hit& hit : hits_) {
      const auto& run = index_->run(hit.run);
      const std::uint32_t last = std::exchange(matches_of_run_[hit.run], 0);
      rule_.extras(
          std::span<const Value* const>(children_),
          std::span<const ChildMatch>(matches_).subspan(hit.first_match, last - hit.first_match),
          *index_, run, out);
      out += run.size();
    }
  }

  /// The rows of vertices that no column shares a child with, and of leaves.
  void lay_out_common_rows() {
    std::size_t longest = 0;
    for (std::uint32_t g = 0; g < index_->group_count(); ++g) {
      longest = std::max<std::size_t>(longest, index_->group(g).size());
    }
    leaf_row_.resize(std::max(leaf_row_.size(), longest + 1), rule_.leaf_base());
    base_row_.resize(std::max(base_row_.size(), longest + 1), rule_.base());
    base_row_[0] = rule_.leaf_base();
  }

  const Value* row_of(VertexId v) {
    if constexpr (Rule::graded) {
      if (row_of_[v] == nullptr) row_of_[v] = make_base_row(v);
      return row_of_[v];
    }
    if (forest_.is_leaf(v)) return leaf_row_.data();
    return row_of_[v] != nullptr ? row_of_[v] : base_row_.data();
  }

  /// The row of a vertex that shares no child with any column; null if nothing has its key.
  Value* make_base_row(VertexId v) {
    const std::uint32_t g = index_->group_of(rule_.key(forest_, v));
    if (g == none) return nullptr;
    const ColumnIndex::Group group = index_->group(g);
    Value* const row = memory_.take(g, group.size() + 1);
    rule_.start_row(forest_, v, group);
    rule_.set_base_row(row + 1);
    return row;
  }

  /// Stores the row just computed: base but for the hits.
  void keep_row(VertexId u, std::uint32_t g) {
    const ColumnIndex::Group group = index_->group(g);
    Value* const row = memory_.take(g, group.size() + 1);
    if constexpr (Rule::graded) {
      rule_.set_base_row(row + 1);
    } else {
      row[0] = rule_.leaf_base();
      std::fill_n(row + 1, group.size(), rule_.base());
    }
    const Value* extra = extras_.data();
    for (const Hit& hit : hits_) {
      const auto& run = index_->run(hit.run);
      for (std::uint32_t p = run.begin; p < run.end; ++p) row[1 + p - group.begin] += *extra++;
    }
    row_of_[u] = row;
  }

  /// Rows that no later vertex needs make room for others.
  void give_back_rows_below(VertexId u) {
    for (const VertexId child : forest_.children(u)) {
      if (row_index_.last_use(child) != u || row_of_[child] == nullptr) continue;
      memory_.give_back(index_->group_of(rule_.key(forest_, child)), row_of_[child]);
      row_of_[child] = nullptr;
    }
  }

  /// How many values the rows hold at the most, if all are kept that may be needed.
  std::size_t most_values() {
    std::vector<std::size_t> kept(index_->group_count(), 0);
    std::vector<std::size_t> most(index_->group_count(), 0);
    const auto keep = [&](VertexId v) {
      const std::uint32_t group = index_->group_of(rule_.key(forest_, v));
      if (group == none || kept_group_[v] != none) return;
      kept_group_[v] = group;
      most[group] = std::max(most[group], ++kept[group]);
    };
    for (const VertexId u : row_index_.vertices) {
      if (row_index_.last_use(u) != none) keep(u);
      for (const VertexId child : forest_.children(u)) {
        if (Rule::graded && forest_.is_leaf(child)) keep(child);
      }
      for (const VertexId child : forest_.children(u)) {
        if (row_index_.last_use(child) != u || kept_group_[child] == none) continue;
        --kept[kept_group_[child]];
        kept_group_[child] = none;
      }
    }
    std::size_t values = 0;
    for (std::uint32_t g = 0; g < most.size(); ++g)
      values += most[g] * (index_->group(g).size() + 1);
    return values;
  }

  /// Adds the extras of the row just computed to the rows of the output that have the vertex.
  void add_to(BlockView<Value> out, std::size_t r, bool shared) {
    const auto postings = row_index_.postings.of(r);
    if (!shared) {
      for (const auto& p : postings) scatter(out.row(p.example), Value(p.count));
      return;
    }
    // In several rows: summed up once, then added to each of them.
    touched_.clear();
    sum_up();
    const bool few = 3 * touched_.size() < sums_.size();
    for (const auto& p : postings) {
      Value* const row = out.row(p.example);
      const Value count(p.count);
      if (few) {
        for (const std::uint32_t j : touched_) row[j] += count * sums_[j];
      } else {
        for (std::size_t j = 0; j < sums_.size(); ++j) row[j] += count * sums_[j];
      }
    }
    for (const std::uint32_t j : touched_) sums_[j] = Value(0);
  }

  /// So few columns, as a model has outputs, that each position has a count for all of them. Where
  /// an infinite D meets a count of 0 that makes a nan: examples must not share such sums.
  bool is_narrow(Slice columns) const {
    return std::is_same_v<Value, double> && columns.size() <= narrow && columns.size() > 0 &&
           columns_[columns.begin].weights != nullptr;
  }

  void lay_out_counts() {
    counts_.assign(narrow * (index_->postings.begin.size() - 1), Value(0));
    for (std::size_t p = 0; p + 1 < index_->postings.begin.size(); ++p) {
      for (const auto& e : index_->postings.of(p)) counts_[narrow * p + e.example] = Value(e.count);
    }
  }

  /// The same sums in the same order, all columns side by side.
  void add_to_narrow(BlockView<Value> out, std::size_t columns, std::size_t r, bool shared) {
    const auto postings = row_index_.postings.of(r);
    Value sums[narrow] = {};
    if (shared) sum_up_narrow(sums, Value(1));
    for (const auto& p : postings) {
      Value* const row = out.row(p.example);
      const Value count(p.count);
      if (shared) {
        for (std::size_t j = 0; j < columns; ++j) row[j] += count * sums[j];
      } else {
        std::copy_n(row, columns, sums);
        sum_up_narrow(sums, count);
        std::copy_n(sums, columns, row);
      }
    }
  }

  void sum_up_narrow(Value* sums, const Value& count) const {
    Value local[narrow];
    std::copy_n(sums, narrow, local);
    const Value* extra = extras_.data();
    for (const Hit& hit : hits_) {
      const auto& run = index_->run(hit.run);
      const Value* counts = counts_.data() + narrow * run.begin;
      for (std::uint32_t p = run.begin; p < run.end; ++p, counts += narrow) {
        const Value factor = *extra++ * count;
        for (std::size_t j = 0; j < narrow; ++j) local[j] += factor * counts[j];
      }
    }
    std::copy_n(local, narrow, sums);
  }

  /// Calls visit(entry, extra) for every column of every hit.
  template <class Visit>
  void for_each_hit(Visit&& visit) const {
    const Value* extra = extras_.data();
    const auto* const begin = index_->postings.begin.data();
    const auto* const entries = index_->postings.entries.data();
    for (const Hit& hit : hits_) {
      const auto& run = index_->run(hit.run);
      if (run.once) {
        for (const auto* e = entries + begin[run.begin]; e < entries + begin[run.end]; ++e) {
          visit(*e, *extra++);
        }
        continue;
      }
      for (std::uint32_t p = run.begin; p < run.end; ++p, ++extra) {
        for (const auto* e = entries + begin[p]; e < entries + begin[p + 1]; ++e) visit(*e, *extra);
      }
    }
  }

  void scatter(Value* row, const Value& count) const {
    for_each_hit([&](const Postings::Entry& e, const Value& extra) {
      row[e.example] += extra * count * Value(e.count);
    });
  }

  /// The extras of each column into sums_, and the columns into touched_.
  void sum_up() {
    for_each_hit([&](const Postings::Entry& e, const Value& extra) {
      if (in_sums_[e.example] == 0) {
        in_sums_[e.example] = 1;
        touched_.push_back(e.example);
      }
      sums_[e.example] += extra * Value(e.count);
    });
    for (const std::uint32_t j : touched_) in_sums_[j] = 0;
  }

  const Bags& columns_;
  const Forest& forest_;
  const VertexFacts& facts_;
  Rule rule_;

  bool indexed_ = false;  ///< whether what follows belongs to these slices
  Slice indexed_rows_;
  Slice indexed_columns_;
  const ColumnIndex* prepared_;
  ColumnIndex own_index_;
  const ColumnIndex* index_ = nullptr;  ///< one of the two
  RowIndex row_index_;
  std::vector<std::uint8_t> in_rows_;  ///< scratch of indexing, per key: 0 between uses

  RowMemory<Value> memory_;
  std::vector<Value*> row_of_;  ///< per vertex; null: base_row_
  std::vector<Value> base_row_;
  std::vector<Value> leaf_row_;
  std::vector<std::uint32_t> kept_group_;  ///< scratch of most_values(): none between uses

  // The vertex at hand.
  std::vector<const Value*> children_;  ///< of u: their rows
  std::vector<Joined> joined_;
  std::vector<Hit> hits_;
  std::vector<std::uint32_t> matches_of_run_;  ///< per run: how many, then where the next one goes
  std::vector<ChildMatch> matches_;
  std::vector<Value> extras_;
  std::vector<Value> sums_;             ///< per column; 0 between uses
  std::vector<std::uint8_t> in_sums_;   ///< per column; 0 between uses
  std::vector<std::uint32_t> touched_;  ///< the columns in sums_

  static constexpr std::size_t narrow = 8;
  std::vector<Value> counts_;  ///< of narrow blocks: per position, one for each column
};

}  // namespace espalier
