#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.hpp"
#include "engine/base_sums.hpp"
#include "engine/difference_sums.hpp"
#include "engine/fast_paths.hpp"
#include "engine/kept_rows.hpp"
#include "engine/matcher.hpp"
#include "engine/row_index.hpp"

namespace espalier {

/// Computes D(u, .) for the vertices of the rows, bottom-up, with a matcher.
template <Matcher M>
class MatchedRows {
 public:
  using Value = typename M::Value;
  using Index = typename M::Index;

  /// `memory` is the budget of the thread, in bytes.
  MatchedRows(const Forest& forest, M matcher, std::size_t memory)
      : forest_(forest), matcher_(std::move(matcher)), rows_(forest.vertex_count(), memory) {}

  const M& matcher() const { return matcher_; }
  std::size_t bytes(Slice, Slice) const { return matcher_.bytes(); }

  void start(Slice, Slice, const Index& index) {
    index_ = &index;
    rows_.start(index);
    matcher_.start(forest_, index);
    lay_out_common_rows();
  }
  /// Children must have been visited before. Keeps the row if there are parents.
  Differences<Value> differences_of(const RowIndex::Vertex& u, std::uint32_t group) {
    const auto row_of = [&](VertexId child) { return this->row_of(child); };
    const Differences<Value> out = matcher_.differences_of(forest_, u.id, group, row_of);
    if (u.is_child && !out.empty()) keep(u.id, group, out);
    return out;
  }
  void release(VertexId v, std::uint32_t group) { rows_.release(v, group); }

 private:
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

  const Value* row_of(VertexId v) const {
    if (forest_.is_leaf(v)) return leaf_row_.data();
    return rows_.of(v) != nullptr ? rows_.of(v) : base_row_.data();
  }

  /// Base plus differences.
  void keep(VertexId u, std::uint32_t g, const Differences<Value>& differences) {
    const Positions group = index_->group(g);
    Value* const row = rows_.add(u, g, *index_);
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

  const Forest& forest_;
  M matcher_;
  const Index* index_ = nullptr;
  KeptRows<Value> rows_;
  std::vector<Value> base_row_;
  std::vector<Value> leaf_row_;
};

/// Computes rows of out(i, j) = sum of f_u(i) f_v(j) D(u,v) over the vertices u of row i and v of
/// column j that have the same key. Most pairs have the value `base`; their sum is a product of
/// counts, which costs nothing per pair (BaseSums). The differences D(u,v) - base are added.
///
/// D is computed bottom-up by Rows (MatchedRows, or SmoothedRows): for each u, the values D(u, .)
/// of one group of columns are a row; the rows of u's children are all that is needed to compute
/// it, and they are short enough to stay in the cache. Rows are kept as long as a parent needs
/// them: until the last parent in the last row of the block that has one. The contribution of a u
/// that occurs in several trees is summed once and kept for the next of them. The order of
/// summation depends only on the two examples, not on the block or on other examples. Not
/// thread-safe: each thread has its own.
template <class Rows>
class PairProduct {
 public:
  using Value = typename Rows::Value;
  using Index = typename Rows::Index;

  /// `prepared` is an index of all columns and all keys, or null.
  PairProduct(const RowIndex& rows, const Bags& columns, const ContentHashes& hashes,
              BaseSums<Value> base, Rows values, const Index* prepared)
      : rows_(rows),
        columns_(columns),
        hashes_(hashes),
        base_(std::move(base)),
        values_(std::move(values)),
        prepared_(prepared) {}

  void start(Slice rows, Slice columns) {
    base_.start(rows, columns);
    index(columns);
    last_ = rows.end - 1;
    sums_once_ = rows.size() == 1 || !FastPaths::used().kept_sums;
    values_.start(rows, columns, *index_);
    kept_.start(rows_.vertices.size(), columns.size());
    sums_.start(*index_, columns.size(), are_outputs(columns));
  }

  /// Overwrites `out` with these rows of the block.
  void set_rows(Slice rows, BlockView<Value> out) {
    base_.set_rows(rows, out);
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      check_cancelled();
      try {
        add_row(i, out.row(i - rows.begin));
      } catch (const OutOfBudget& error) {
        throw ExampleError(i, OutOfBudget::reason(error.budget()));
      }
    }
  }

  /// Upper bound on the memory for a block without its output, in bytes; a cheap estimate if that
  /// does not exceed `enough`. Builds the column index, which start() with the same columns reuses.
  std::size_t bytes(Slice rows, Slice columns, std::size_t enough) {
    index(columns);
    const std::size_t fixed =
        base_.bytes(rows, columns) + values_.bytes(rows, columns) +
        (prepared_ != nullptr ? 0 : own_index_.bytes()) +
        KeptSums<Value>::bytes_per_vertex * rows_.vertices.size() +
        DifferenceSums<Value>::bytes(*index_, columns.size(), are_outputs(columns));
    std::size_t rough = 0;
    for (std::uint32_t g = 0; g < index_->group_count(); ++g) {
      const std::uint32_t key =
          values_.matcher().key(rows_.forest, index_->vertices()[index_->group(g).begin]);
      rough += rows_.vertices_of_key[key] * row_bytes(g) +
               rows_.shared_of_key[key] * sum_bytes(g, columns);
    }
    return fixed + (fixed + rough <= enough ? rough : most_bytes(rows, columns));
  }

 private:
  void index(Slice columns) {
    if (prepared_ != nullptr) {
      if (!prepared_->is_of(columns)) throw std::logic_error("columns were prepared all together");
      index_ = prepared_;
    } else if (index_ == nullptr || !own_index_.is_of(columns)) {
      own_index_.build(columns_, columns, values_.matcher(), hashes_, rows_.wanted);
      index_ = &own_index_;
    }
  }

  bool are_outputs(Slice columns) const {
    return columns.size() > 0 && columns_[columns.begin].weights != nullptr;
  }

  void add_row(std::size_t i, Value* row) {
    const std::uint32_t* released = rows_.released(i);
    for (const RowIndex::Entry& entry : rows_.of(i)) {
      const RowIndex::Vertex& u = rows_.vertices[entry.number];
      if (adds_once(u)) {
        compute(entry, u, row);
      } else {
        if (kept_.visit(entry.number)) compute(entry, u, row);
        kept_.of(entry.number).add_to(row, Value(entry.count));
        if (is_last(u, i)) kept_.forget(entry.number);
      }
      for (std::uint32_t k = 0; k < entry.released; ++k) {
        const RowIndex::Vertex& v = rows_.vertices[*released++];
        if (is_last(v, i)) values_.release(v.id, index_->group_of(v.key));
      }
    }
  }

  /// Whether the vertex is in no other row of the block.
  bool adds_once(const RowIndex::Vertex& v) const { return v.once || sums_once_; }
  /// Whether no later row of the block has the vertex or a parent of it.
  bool is_last(const RowIndex::Vertex& v, std::size_t row) const {
    return v.last == row || row == last_;
  }

  /// Adds the contribution of a vertex to the output, or keeps the sum if other rows contain it.
  void compute(const RowIndex::Entry& entry, const RowIndex::Vertex& u, Value* row) {
    const std::uint32_t group = index_->group_of(u.key);
    if (group == none) return;
    const Differences<Value> differences = values_.differences_of(u, group);
    if (differences.empty()) return;
    if (adds_once(u)) {
      sums_.add(differences, group, Value(entry.count), row);
    } else {
      kept_.keep(entry.number, sums_.sum(differences));
    }
    work_ += differences.size();
    if (work_ < work_between_checks) return;
    work_ = 0;
    check_cancelled();
  }

  /// The peak memory of rows and sums.
  std::size_t most_bytes(Slice rows, Slice columns) {
    last_ = rows.end - 1;
    sums_once_ = rows.size() == 1 || !FastPaths::used().kept_sums;
    std::vector<std::size_t> kept(index_->group_count(), 0);
    std::vector<std::size_t> most(index_->group_count(), 0);
    std::vector<std::uint8_t> visited(rows_.vertices.size(), 0);
    std::size_t sums = 0;
    std::size_t most_sums = 0;
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const std::uint32_t* released = rows_.released(i);
      for (const RowIndex::Entry& entry : rows_.of(i)) {
        const RowIndex::Vertex& u = rows_.vertices[entry.number];
        const std::uint32_t g = index_->group_of(u.key);
        if (g != none && std::exchange(visited[entry.number], 1) == 0) {
          if (u.is_child) most[g] = std::max(most[g], ++kept[g]);
          if (!adds_once(u)) most_sums = std::max(most_sums, sums += sum_bytes(g, columns));
        }
        if (g != none && !adds_once(u) && is_last(u, i)) sums -= sum_bytes(g, columns);
        for (std::uint32_t k = 0; k < entry.released; ++k) {
          const std::uint32_t number = *released++;
          const RowIndex::Vertex& v = rows_.vertices[number];
          if (visited[number] == 0 || !v.is_child || !is_last(v, i)) continue;
          --kept[index_->group_of(v.key)];
        }
      }
    }
    std::size_t total = most_sums;
    for (std::uint32_t g = 0; g < most.size(); ++g) total += most[g] * row_bytes(g);
    return total;
  }

  std::size_t row_bytes(std::uint32_t g) const { return KeptRows<Value>::bytes(index_->group(g)); }
  std::size_t sum_bytes(std::uint32_t g, Slice columns) const {
    const Positions& group = index_->group(g);
    const std::size_t entries = index_->postings.of(group.begin, group.end).size();
    return KeptSums<Value>::bytes(std::min(entries, columns.size()));
  }

  const RowIndex& rows_;
  const Bags& columns_;
  const ContentHashes& hashes_;
  BaseSums<Value> base_;
  Rows values_;
  const Index* prepared_;
  Index own_index_;
  const Index* index_ = nullptr;  ///< one of the two

  std::size_t last_ = 0;    ///< row of the block
  bool sums_once_ = false;  ///< whether no sums are kept for other rows
  KeptSums<Value> kept_;
  DifferenceSums<Value> sums_;

  static constexpr std::size_t work_between_checks = 1 << 14;
  std::size_t work_ = 0;  ///< differences since the last check for cancellation
};

}  // namespace espalier
