#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/cancel.hpp"
#include "kernel/differences.hpp"
#include "kernel/kept_sums.hpp"
#include "kernel/row_index.hpp"
#include "kernel/row_memory.hpp"

namespace espalier {

/// Computes rows of out(i, j) += sum of f_u(i) f_v(j) (D(u,v) - base) over the vertices u of row i
/// and v of column j that have the same key. Most pairs have the value `base`; their sum is a
/// product of counts, which costs nothing per pair (BaseSums).
///
/// D is given by a Matcher, bottom-up: for each u, the values D(u, .) of one group of columns are a
/// row; the rows of u's children are all that is needed to compute it, and they are short enough to
/// stay in the cache. Rows are kept as long as a parent needs them. The contribution of a u that
/// occurs in several trees is summed once and kept for the next of them. The order of summation
/// depends only on the two examples, not on the block or on other examples.
///
/// A Matcher has: Value (double, Lanes or Scaled); Index, its column index (see
/// ColumnGroups); key(forest, vertex); key_count(forest); signature(forest, vertex), the order
/// within a group; matters(forest, vertex), whether D can differ from base; base(); leaf_base(),
/// D where one of the two is a leaf;
///     bytes()                         memory that it keeps between vertices
///     start(forest, index)
///     differences_of(forest, u, group, row_of)
/// which returns D(u,v) - base where u may match; row_of(child) returns the values D(child, .) of
/// the columns with the key of the child, by rank.
///
/// A matcher may be graded: two vertices with the same key match by a degree from 0 to 1, which is
/// a factor of D, base included. Then leaves are among the columns, because the degree of a leaf
/// and another vertex depends on both; base may be 0 for some keys, so that all of D is computed
/// here; and the matcher has as well
///     block_bytes(rows, columns)      memory of start_block()
///     start_block(rows, columns, forest, index)
///     start_row(forest, u, group)
///     set_base_row(row)               its degree times base with each vertex of the group
/// and, in place of differences_of(),
///     graded_differences_of(forest, u, group, row_of, row)
/// which sets the row of u as well, if it is not null.
/// Not thread-safe: each thread has its own.
template <class Matcher>
class PairProduct {
 public:
  using Value = typename Matcher::Value;
  using Index = typename Matcher::Index;

  /// `prepared` is an index of all columns and all keys, or null.
  PairProduct(const RowIndex& rows, const Bags& columns, const ContentHashes& hashes,
              Matcher matcher, const Index* prepared)
      : rows_(rows),
        columns_(columns),
        forest_(rows.forest),
        hashes_(hashes),
        matcher_(std::move(matcher)),
        prepared_(prepared),
        row_of_(forest_.vertex_count(), nullptr) {}

  void start(Slice rows, Slice columns) {
    index(columns);
    for (const VertexId v : kept_rows_) row_of_[v] = nullptr;
    kept_rows_.clear();
    sums_.assign(columns.size(), Value(0));
    in_sums_.assign(columns.size(), 0);
    touched_.resize(columns.size());
    listed_.resize(columns.size());
    matcher_.start(forest_, *index_);
    memory_.start(index_->group_count());
    kept_.start(rows_.vertices.size(), columns.size());
    if constexpr (Matcher::graded) {
      matcher_.start_block(rows, columns, forest_, *index_);
    } else {
      lay_out_common_rows();
    }
    narrow_ = is_narrow(columns);
    if (narrow_) lay_out_counts();
  }

  void add_rows(Slice rows, BlockView<Value> out) {
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      check_cancelled();
      Value* const row = out.row(i - rows.begin);
      for (const RowIndex::Entry& entry : rows_.of(i)) {
        const RowIndex::Vertex& u = rows_.vertices[entry.number];
        if (u.once || kept_.visit(entry.number)) compute(entry, row);
        if (!u.once) kept_.of(entry.number).add_to(row, Value(entry.count));
      }
      release(i);
    }
  }

  /// Upper bound on the memory for a block without its output, in bytes; a cheap estimate if that
  /// does not exceed `enough`. Builds the column index, which start() with the same columns reuses.
  std::size_t bytes(Slice rows, Slice columns, std::size_t enough) {
    index(columns);
    const std::size_t counts = is_narrow(columns) ? narrow * index_->vertices().size() : 0;
    std::size_t fixed =
        matcher_.bytes() + counts * sizeof(Value) + (prepared_ != nullptr ? 0 : own_index_.bytes());
    if constexpr (Matcher::graded) fixed += matcher_.block_bytes(rows, columns);
    std::size_t rough = 0;
    for (std::uint32_t g = 0; g < index_->group_count(); ++g) {
      const RowIndex::KeyCount& count =
          rows_.counts[matcher_.key(forest_, index_->vertices()[index_->group(g).begin])];
      rough += count.vertices * row_bytes(g) + count.several * sum_bytes(g, columns);
    }
    return fixed + (fixed + rough <= enough ? rough : most_bytes(rows, columns));
  }

 private:
  void index(Slice columns) {
    if (prepared_ != nullptr) {
      if (!prepared_->is_of(columns)) throw std::logic_error("columns were prepared all together");
      index_ = prepared_;
    } else if (index_ == nullptr || !own_index_.is_of(columns)) {
      own_index_.build(columns_, columns, matcher_, hashes_, rows_.wanted);
      index_ = &own_index_;
    }
  }

  /// Computes the row of a vertex and keeps it if parents need it. Adds its contribution to the
  /// output, or keeps the sum if other rows contain the vertex.
  void compute(const RowIndex::Entry& entry, Value* row) {
    const RowIndex::Vertex& u = rows_.vertices[entry.number];
    const std::uint32_t group = index_->group_of(u.key);
    if (group == none) return;
    const auto row_of = [&](VertexId child) { return this->row_of(child); };
    Differences<Value> differences;
    if constexpr (Matcher::graded) {
      Value* const kept = u.is_child ? new_row(u.id, group) + 1 : nullptr;
      differences = matcher_.graded_differences_of(forest_, u.id, group, row_of, kept);
    } else {
      differences = matcher_.differences_of(forest_, u.id, group, row_of);
      if (u.is_child && !differences.empty()) keep_row(u.id, group, differences);
    }
    if (differences.empty()) return;
    const Value count(entry.count);
    if (!narrow_ && u.once && index_->is_single(group)) {
      // Same bits as adding a kept sum: each column has one addend.
      for_each_difference(differences, [&](std::uint32_t j, const Value& difference) {
        row[j] += count * difference;
      });
      return;
    }
    const ColumnSum<Value> sum = narrow_ ? sum_up_narrow(differences) : sum_up(differences);
    if (u.once) {
      sum.add_to(row, count);
    } else {
      kept_.keep(entry.number, sum);
    }
  }

  /// The rows of vertices without matching children, and of leaves.
  void lay_out_common_rows() {
    std::size_t longest = 0;
    for (std::uint32_t g = 0; g < index_->group_count(); ++g) {
      longest = std::max<std::size_t>(longest, index_->group(g).size());
    }
    leaf_row_.resize(std::max(leaf_row_.size(), longest + 1), matcher_.leaf_base());
    base_row_.resize(std::max(base_row_.size(), longest + 1), matcher_.base());
    base_row_[0] = matcher_.leaf_base();
  }

  const Value* row_of(VertexId v) {
    if constexpr (Matcher::graded) {
      if (row_of_[v] == nullptr) make_base_row(v);
      return row_of_[v];
    }
    if (forest_.is_leaf(v)) return leaf_row_.data();
    return row_of_[v] != nullptr ? row_of_[v] : base_row_.data();
  }

  /// The row of a vertex without matching children; none if no column has its key.
  void make_base_row(VertexId v) {
    const std::uint32_t g = index_->group_of(matcher_.key(forest_, v));
    if (g == none) return;
    matcher_.start_row(forest_, v, index_->group(g));
    matcher_.set_base_row(new_row(v, g) + 1);
  }

  Value* new_row(VertexId u, std::uint32_t g) {
    Value* const row = memory_.take(g, index_->group(g).size() + 1);
    row_of_[u] = row;
    kept_rows_.push_back(u);
    return row;
  }

  /// Stores the row just computed: base plus differences.
  void keep_row(VertexId u, std::uint32_t g, const Differences<Value>& differences) {
    const Positions group = index_->group(g);
    Value* const row = new_row(u, g);
    const Value* difference = differences.values;
    const Value base = matcher_.base();
    row[0] = matcher_.leaf_base();
    if (differences.size() < group.size()) std::fill_n(row + 1, group.size(), base);
    for (const Positions& range : differences.ranges) {
      Value* const out = row + 1 + (range.begin - group.begin);
      for (std::uint32_t k = 0; k < range.size(); ++k) out[k] = base + *difference++;
    }
    for (const std::uint32_t p : differences.positions) {
      row[1 + (p - group.begin)] = base + *difference++;
    }
  }

  /// Releases what no later row needs.
  void release(std::size_t i) {
    for (const RowIndex::Entry& entry : rows_.of(i)) {
      if (!entry.is_last) continue;
      const RowIndex::Vertex& v = rows_.vertices[entry.number];
      if (!v.once) kept_.forget(entry.number);
      Value* const row = std::exchange(row_of_[v.id], nullptr);
      if (row != nullptr) memory_.release(index_->group_of(v.key), row);
    }
  }

  /// The peak memory of rows and sums.
  std::size_t most_bytes(Slice rows, Slice columns) {
    std::vector<std::size_t> kept(index_->group_count(), 0);
    std::vector<std::size_t> most(index_->group_count(), 0);
    std::vector<std::uint8_t> visited(rows_.vertices.size(), 0);
    std::size_t sums = 0;
    std::size_t most_sums = 0;
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      for (const RowIndex::Entry& entry : rows_.of(i)) {
        const RowIndex::Vertex& v = rows_.vertices[entry.number];
        const std::uint32_t g = index_->group_of(v.key);
        if (g == none || std::exchange(visited[entry.number], 1) != 0) continue;
        most[g] = std::max(most[g], ++kept[g]);
        if (!v.once) most_sums = std::max(most_sums, sums += sum_bytes(g, columns));
      }
      for (const RowIndex::Entry& entry : rows_.of(i)) {
        const RowIndex::Vertex& v = rows_.vertices[entry.number];
        const std::uint32_t g = index_->group_of(v.key);
        if (g == none || v.last != i) continue;
        --kept[g];
        if (!v.once) sums -= sum_bytes(g, columns);
      }
    }
    std::size_t total = most_sums;
    for (std::uint32_t g = 0; g < most.size(); ++g) total += most[g] * row_bytes(g);
    return total;
  }

  std::size_t row_bytes(std::uint32_t g) const {
    return (index_->group(g).size() + 1) * sizeof(Value);
  }
  std::size_t sum_bytes(std::uint32_t g, Slice columns) const {
    const Positions& group = index_->group(g);
    const std::size_t entries =
        index_->postings.begin[group.end] - index_->postings.begin[group.begin];
    return KeptSums<Value>::bytes(std::min(entries, columns.size()));
  }

  /// Whether there are so few columns (the outputs of a model) that each position stores a dense
  /// row of counts. Only for outputs: an infinite D times a count of 0 is nan.
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

  /// All columns in parallel.
  ColumnSum<Value> sum_up_narrow(const Differences<Value>& differences) {
    Value local[narrow] = {};
    const Value* difference = differences.values;
    for (const Positions& range : differences.ranges) {
      const Value* counts = counts_.data() + narrow * range.begin;
      for (std::uint32_t p = range.begin; p < range.end; ++p, counts += narrow, ++difference) {
        for (std::size_t j = 0; j < narrow; ++j) local[j] += *difference * counts[j];
      }
    }
    for (const std::uint32_t p : differences.positions) {
      const Value* const counts = counts_.data() + narrow * p;
      for (std::size_t j = 0; j < narrow; ++j) local[j] += *difference * counts[j];
      ++difference;
    }
    std::copy_n(local, sums_.size(), sums_.data());
    return {nullptr, sums_.data(), static_cast<std::uint32_t>(sums_.size())};
  }

  /// Calls visit(column, difference * count) for every column of every difference.
  template <class Visit>
  void for_each_difference(const Differences<Value>& differences, Visit&& visit) const {
    const Value* difference = differences.values;
    const Postings& postings = index_->postings;
    const std::uint32_t* const only = postings.only.data();
    const auto visit_all = [&](std::uint32_t p, const Value& value) {
      for (const auto& e : postings.of(p)) visit(e.example, value * Value(e.count));
    };
    for (const std::uint32_t p : differences.positions) {
      if (only[p] != none) {
        visit(only[p], *difference++);
      } else {
        visit_all(p, *difference++);
      }
    }
    for (const Positions& range : differences.ranges) {
      for (std::uint32_t p = range.begin; p < range.end; ++p) {
        const std::uint32_t shared = std::min(range.end, postings.next_shared[p]);
        const std::uint32_t plain = shared - p;
        for (std::uint32_t k = 0; k < plain; ++k) visit(only[p + k], difference[k]);
        difference += plain;
        p = shared;
        if (p < range.end) visit_all(p, *difference++);
      }
    }
  }

  /// Sums the differences per column: for all columns, or only for those that have any.
  ColumnSum<Value> sum_up(const Differences<Value>& differences) {
    const auto columns = static_cast<std::uint32_t>(sums_.size());
    if (6 * differences.size() >= columns) {
      std::fill_n(listed_.data(), columns, Value(0));
      for_each_difference(
          differences, [&](std::uint32_t j, const Value& difference) { listed_[j] += difference; });
      return {nullptr, listed_.data(), columns};
    }
    std::uint32_t count = 0;
    for_each_difference(differences, [&](std::uint32_t j, const Value& difference) {
      if (std::exchange(in_sums_[j], 1) == 0) touched_[count++] = j;
      sums_[j] += difference;
    });
    for (std::uint32_t k = 0; k < count; ++k) {
      listed_[k] = std::exchange(sums_[touched_[k]], Value(0));
      in_sums_[touched_[k]] = 0;
    }
    return {touched_.data(), listed_.data(), count};
  }

  const RowIndex& rows_;
  const Bags& columns_;
  const Forest& forest_;
  const ContentHashes& hashes_;
  Matcher matcher_;
  const Index* prepared_;
  Index own_index_;
  const Index* index_ = nullptr;  ///< one of the two

  RowMemory<Value> memory_;
  std::vector<Value*> row_of_;       ///< per vertex; null: base_row_
  std::vector<VertexId> kept_rows_;  ///< vertices that had a row in this block
  KeptSums<Value> kept_;
  std::vector<Value> base_row_;
  std::vector<Value> leaf_row_;

  // The current vertex.
  std::vector<Value> sums_;             ///< per column; 0 between uses
  std::vector<std::uint8_t> in_sums_;   ///< per column; 0 between uses
  std::vector<std::uint32_t> touched_;  ///< the columns in sums_
  std::vector<Value> listed_;           ///< the values of a sum

  static constexpr std::size_t narrow = 8;
  bool narrow_ = false;
  std::vector<Value> counts_;  ///< of narrow blocks: `narrow` counts per position
};

}  // namespace espalier
