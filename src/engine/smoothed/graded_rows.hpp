#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/differences.hpp"
#include "engine/kept_rows.hpp"
#include "engine/partial_tree/run_joins.hpp"
#include "engine/row_index.hpp"

namespace espalier {

/// Computes D(u, .) for the vertices of the rows, bottom-up, where two vertices with the same key
/// match by a degree from 0 to 1, which is a factor of D, base included. So leaves are among the
/// columns, because the degree of a leaf and another vertex depends on both; and base may be 0 for
/// some keys, so that all of D is computed here.
///
/// The rule is one of RunMatcher, whose differences are without the degree. In addition it has
///     adds_base(forest, u)                whether the differences of u are D itself
///     start_block(rows, columns, forest, index), block_bytes(rows, columns)
///     start_row(forest, u, group)
///     set_base_row(row)                   sets degree times base for each vertex of the group
///     grade(values)                       turns the differences of a whole group into D
template <class Rule>
class GradedRows {
 public:
  using Value = typename Rule::Value;
  using Index = RunIndex;

  /// `memory` is the budget of the thread, in bytes.
  GradedRows(const Forest& forest, Rule rule, std::size_t memory)
      : forest_(forest),
        rule_(std::move(rule)),
        joins_(memory),
        rows_(forest.vertex_count(), memory) {}

  const Rule& matcher() const { return rule_; }
  std::size_t bytes(Slice rows, Slice columns) {
    return joins_.bytes() + rule_.block_bytes(rows, columns);
  }

  void start(Slice rows, Slice columns, const RunIndex& index) {
    index_ = &index;
    rows_.start(index);
    joins_.start(index, rule_.key_count(forest_), rule_.signature_count(forest_));
    rule_.start_block(rows, columns, forest_, index);
  }

  /// Differences times degrees. Keeps the row if there are parents: the values D of the whole
  /// group.
  Differences<Value> differences_of(const RowIndex::Vertex& u, std::uint32_t group) {
    Value* const row = u.is_child ? rows_.add(u.id, group, *index_) + 1 : nullptr;
    const bool whole = rule_.adds_base(forest_, u.id);
    const RunJoins::Join& join = joins_.of(rule_, forest_, u.id, group, whole);
    const bool matches = !join.empty();
    children_.clear();
    if (matches) {  // before start_row(), which this may call
      for (const VertexId child : forest_.children(u.id)) children_.push_back(row_of(child));
    }
    group_ = index_->group(group);
    rule_.start_row(forest_, u.id, group_);
    if (!whole && row != nullptr) rule_.set_base_row(row);
    if (!whole && !matches) return {};
    const std::size_t size = matches ? join.values : group_.size();
    if (values_.size() < size) values_.resize(size);
    // If the differences are D itself, they are computed in place.
    Value* const values = whole && row != nullptr ? row : values_.data();
    if (matches) {
      joins_.template compute<Rule, Value>(join, rule_, forest_, u.id, group, children_, values);
    } else {
      std::fill_n(values, size, Value(0));
    }
    if (whole) {
      rule_.grade(values);
      return {{&group_, 1}, values};
    }
    const auto ranges = joins_.ranges_of(join);
    if (row != nullptr) add(ranges, values, row);
    return {ranges, values};
  }
  void release(VertexId v, std::uint32_t group) { rows_.release(v, group); }

 private:
  /// Null if no column has the key of the vertex.
  const Value* row_of(VertexId v) {
    if (rows_.of(v) == nullptr) make_base_row(v);
    return rows_.of(v);
  }

  /// The row of a vertex without matching children.
  void make_base_row(VertexId v) {
    const std::uint32_t g = index_->group_of(rule_.key(forest_, v));
    if (g == none) return;
    rule_.start_row(forest_, v, index_->group(g));
    rule_.set_base_row(rows_.add(v, g, *index_) + 1);
  }

  void add(std::span<const Positions> ranges, const Value* difference, Value* row) const {
    for (const Positions& range : ranges) {
      Value* const out = row + (range.begin - group_.begin);
      for (std::uint32_t k = 0; k < range.size(); ++k) out[k] += *difference++;
    }
  }

  const Forest& forest_;
  Rule rule_;
  RunJoins joins_;
  KeptRows<Value> rows_;
  const RunIndex* index_ = nullptr;
  std::vector<const Value*> children_;  ///< rows of the children of the current vertex
  std::vector<Value> values_;
  Positions group_;  ///< of the current vertex
};

}  // namespace espalier
