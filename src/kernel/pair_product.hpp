#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "kernel/bags.hpp"
#include "kernel/simd.hpp"

namespace espalier {

/// What is known of the vertices of a forest once for all blocks.
struct VertexFacts {
  explicit VertexFacts(const Forest& forest);
  std::vector<std::uint8_t> has_parent;  ///< somewhere below another vertex
  std::vector<std::uint8_t> shared;      ///< in more than one tree
};

/// The inner vertices of the columns of a block, grouped by key, and within a group by production.
/// Positions count through all groups; ranks count within one. A child that is a leaf has no rank.
struct ColumnIndex {
  /// Positions with one production: their children have the same labels.
  struct Run {
    std::uint32_t begin;
    std::uint32_t end;
  };
  struct Group {
    std::uint32_t begin;  ///< positions
    std::uint32_t end;
    std::uint32_t first_run;
    std::uint32_t last_run;  ///< one past it
  };
  struct Posting {
    std::uint32_t column;
    double count;
  };
  std::vector<Group> groups;
  std::vector<Run> runs;
  std::vector<std::uint32_t> posting_begin;  ///< per position, and one more
  std::vector<Posting> postings;
  std::vector<std::uint32_t> child_begin;  ///< per position, and one more
  std::vector<std::uint32_t> child_key;
  std::vector<std::uint32_t> child_rank;
};

/// Where a rule writes the columns of a group in which D(u, .) is not base: there is room for all.
template <class Value>
struct Hits {
  std::uint32_t* rank;
  Value* extra;  ///< D - base
};

/// Computes blocks of out(i, j) += sum of f_u(i) f_v(j) (D(u,v) - base) over the inner vertices u
/// of row i and v of column j that have the same key. D is given by a Rule, bottom-up; most pairs
/// have the value `base`, and what these sum up to is a product of counts, which costs nothing per
/// pair.
///
/// For each u, the values D(u, .) of one group of columns are a row; the rows of u's children are
/// all that is needed to compute it, and they are short enough to stay near the processor. Rows are
/// kept while a parent may still need them. The order of summation does not depend on the block.
///
/// A Rule has: Value (double, a Lanes or a Scaled); key(forest, vertex); key_count(forest); base();
///     row(forest, u, index, group, row_of, hits)
/// which writes the hits, in rising order, and returns their number. row_of[c] is the row of a
/// child c, or null if it has none: then D(c, .) is base for inner columns. Not for several threads
/// at once: each has its own.
template <class Rule>
class PairProduct {
 public:
  using Value = typename Rule::Value;

  PairProduct(const Bags& rows, const Bags& columns, const VertexFacts& facts, Rule rule)
      : rows_(rows),
        columns_(columns),
        forest_(rows.forest()),
        facts_(facts),
        rule_(std::move(rule)),
        group_of_(rule_.key_count(forest_), none),
        position_(forest_.vertex_count(), none),
        row_of_(forest_.vertex_count(), nullptr) {}

  void add_block(Slice rows, Slice columns, BlockView<Value> out) {
    index(rows, columns);
    sums_.resize(columns.size());
    for (std::size_t r = 0; r < row_vertex_.size(); ++r) {
      const VertexId u = row_vertex_[r];
      const std::uint32_t g = group_of_[rule_.key(forest_, u)];
      if (g == none) continue;
      const auto group = index_.groups[g];
      const std::size_t size = group.end - group.begin;
      if (ranks_.size() < size) {
        ranks_.resize(size);
        extras_.resize(size);
      }
      hit_count_ =
          rule_.row(forest_, u, index_, group, row_of_.data(), {ranks_.data(), extras_.data()});
      if (hit_count_ == 0) continue;
      if (facts_.has_parent[u]) keep_row(u, size);
      add_to(out, r, group, facts_.shared[u] != 0);
    }
    clear();
  }

  /// What add_block needs beside its output, in bytes, at the most.
  /// The index that this takes is kept: an add_block of the same slices next costs nothing more.
  std::size_t bytes(Slice rows, Slice columns) {
    index(rows, columns);
    std::size_t values = 0;
    for (const VertexId u : row_vertex_) {
      const std::uint32_t g = group_of_[rule_.key(forest_, u)];
      if (g != none && facts_.has_parent[u])
        values += index_.groups[g].end - index_.groups[g].begin;
    }
    const std::size_t lists = 16 * (row_posting_.size() + index_.postings.size()) +
                              8 * index_.child_key.size() + 16 * row_vertex_.size();
    return values * sizeof(Value) + lists;
  }

 private:
  struct RowPosting {
    std::uint32_t row;
    double count;
  };

  void index(Slice rows, Slice columns) {
    if (indexed_ && indexed_rows_ == rows && indexed_columns_ == columns) return;
    if (indexed_) clear();
    index_columns(columns);
    index_rows(rows);
    indexed_ = true;
    indexed_rows_ = rows;
    indexed_columns_ = columns;
  }

  /// Collects the distinct inner vertices of some bags, into `vertices`; marks them in position_.
  void collect(const Bags& bags, Slice slice, std::vector<VertexId>& vertices) {
    vertices.clear();
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      for (const Occurrence& o : bags[i]) {
        if (position_[o.vertex] != none || forest_.is_leaf(o.vertex)) continue;
        position_[o.vertex] = 0;
        vertices.push_back(o.vertex);
      }
    }
  }

  /// For each vertex marked in position_, the examples that have it: begins and entries.
  template <class Posting>
  void post(const Bags& bags, Slice slice, std::size_t vertices, std::vector<std::uint32_t>& begin,
            std::vector<Posting>& postings) {
    begin.assign(vertices + 1, 0);
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      for (const Occurrence& o : bags[i]) {
        if (position_[o.vertex] != none) ++begin[position_[o.vertex] + 1];
      }
    }
    for (std::size_t p = 0; p < vertices; ++p) begin[p + 1] += begin[p];
    postings.resize(begin[vertices]);
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      for (const Occurrence& o : bags[i]) {
        if (position_[o.vertex] == none) continue;
        postings[begin[position_[o.vertex]]++] = {static_cast<std::uint32_t>(i - slice.begin),
                                                  static_cast<double>(o.count)};
      }
    }
    for (std::size_t p = vertices; p > 0; --p) begin[p] = begin[p - 1];
    begin[0] = 0;
  }

  void index_columns(Slice columns) {
    collect(columns_, columns, column_vertex_);
    const auto key = [&](VertexId v) { return rule_.key(forest_, v); };
    std::ranges::sort(column_vertex_, {},
                      [&](VertexId v) { return std::tuple(key(v), forest_.production(v), v); });
    index_.groups.clear();
    index_.runs.clear();
    for (std::uint32_t p = 0; p < column_vertex_.size(); ++p) {
      const VertexId v = column_vertex_[p];
      if (p == 0 || key(column_vertex_[p - 1]) != key(v)) {
        group_of_[key(v)] = static_cast<std::uint32_t>(index_.groups.size());
        const auto run = static_cast<std::uint32_t>(index_.runs.size());
        index_.groups.push_back({p, p, run, run});
      }
      auto& group = index_.groups.back();
      if (p == group.begin || forest_.production(column_vertex_[p - 1]) != forest_.production(v)) {
        index_.runs.push_back({p, p});
        ++group.last_run;
      }
      index_.runs.back().end = group.end = p + 1;
      position_[v] = p;
    }
    post(columns_, columns, column_vertex_.size(), index_.posting_begin, index_.postings);
    index_children();
    for (const VertexId v : column_vertex_) position_[v] = none;
  }

  void index_children() {
    index_.child_begin.assign(1, 0);
    index_.child_key.clear();
    index_.child_rank.clear();
    for (const VertexId v : column_vertex_) {
      for (const VertexId child : forest_.children(v)) {
        const std::uint32_t key = rule_.key(forest_, child);
        index_.child_key.push_back(key);
        index_.child_rank.push_back(
            forest_.is_leaf(child) ? none : position_[child] - index_.groups[group_of_[key]].begin);
      }
      index_.child_begin.push_back(static_cast<std::uint32_t>(index_.child_key.size()));
    }
  }

  void index_rows(Slice rows) {
    collect(rows_, rows, row_vertex_);
    std::ranges::sort(row_vertex_);
    for (std::uint32_t r = 0; r < row_vertex_.size(); ++r) position_[row_vertex_[r]] = r;
    post(rows_, rows, row_vertex_.size(), row_posting_begin_, row_posting_);
    for (const VertexId v : row_vertex_) position_[v] = none;
  }

  /// Stores the row just computed: base but for the hits.
  void keep_row(VertexId u, std::size_t size) {
    constexpr std::size_t chunk_values = std::size_t{1} << 16;
    if (chunk_used_ + size > chunk_size_) {
      ++chunk_;
      if (chunk_ >= chunks_.size()) {
        chunks_.push_back({});
      }
      if (chunks_[chunk_].size() < size) chunks_[chunk_].resize(std::max(size, chunk_values));
      chunk_size_ = chunks_[chunk_].size();
      chunk_used_ = 0;
    }
    Value* const row = chunks_[chunk_].data() + chunk_used_;
    chunk_used_ += size;
    std::fill(row, row + size, rule_.base());
    for (std::size_t h = 0; h < hit_count_; ++h) row[ranks_[h]] += extras_[h];
    row_of_[u] = row;
  }

  /// Adds the extras of the row just computed to the rows of the output that have the vertex.
  void add_to(BlockView<Value> out, std::size_t r, ColumnIndex::Group group, bool shared) {
    const auto* const first = row_posting_.data() + row_posting_begin_[r];
    const auto* const last = row_posting_.data() + row_posting_begin_[r + 1];
    if (!shared) {
      for (const auto* p = first; p < last; ++p) scatter(out.row(p->row), group, Value(p->count));
      return;
    }
    // In several rows: summed up once, then added to each of them.
    std::fill(sums_.begin(), sums_.end(), Value(0));
    scatter(sums_.data(), group, Value(1));
    for (const auto* p = first; p < last; ++p) add(out.row(p->row), Value(p->count));
  }

  void scatter(Value* row, ColumnIndex::Group group, const Value& count) const {
    for (std::size_t h = 0; h < hit_count_; ++h) {
      const std::uint32_t position = group.begin + ranks_[h];
      const Value extra = extras_[h] * count;
      for (std::uint32_t e = index_.posting_begin[position]; e < index_.posting_begin[position + 1];
           ++e) {
        row[index_.postings[e].column] += extra * Value(index_.postings[e].count);
      }
    }
  }

  void add(Value* row, const Value& count) const {
    for (std::size_t j = 0; j < sums_.size(); ++j) row[j] += count * sums_[j];
  }

  void clear() {
    indexed_ = false;
    for (const VertexId v : column_vertex_) group_of_[rule_.key(forest_, v)] = none;
    for (const VertexId v : row_vertex_) row_of_[v] = nullptr;
    chunk_ = static_cast<std::size_t>(-1);
    chunk_size_ = chunk_used_ = 0;
  }

  const Bags& rows_;
  const Bags& columns_;
  const Forest& forest_;
  const VertexFacts& facts_;
  Rule rule_;

  bool indexed_ = false;  ///< whether what follows belongs to these slices
  Slice indexed_rows_;
  Slice indexed_columns_;
  std::vector<std::uint32_t> group_of_;  ///< per key, or none
  std::vector<std::uint32_t> position_;  ///< scratch of indexing, per vertex: none between uses
  std::vector<VertexId> column_vertex_;  ///< per position
  ColumnIndex index_;

  std::vector<VertexId> row_vertex_;  ///< rising: children before parents
  std::vector<std::uint32_t> row_posting_begin_;
  std::vector<RowPosting> row_posting_;
  std::vector<const Value*> row_of_;  ///< per vertex

  std::vector<std::uint32_t> ranks_;  ///< the hits of the row just computed
  std::vector<Value> extras_;
  std::size_t hit_count_ = 0;
  std::vector<Value> sums_;

  std::vector<std::vector<Value>> chunks_;  ///< where rows are kept; reused from block to block
  std::size_t chunk_ = static_cast<std::size_t>(-1);
  std::size_t chunk_size_ = 0;
  std::size_t chunk_used_ = 0;
};

}  // namespace espalier
