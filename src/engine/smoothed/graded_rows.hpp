#pragma once

#include <utility>

#include "engine/differences.hpp"
#include "engine/kept_rows.hpp"
#include "engine/row_index.hpp"

namespace espalier {

/// Computes D(u, .) for the vertices of the rows, bottom-up, where two vertices with the same key
/// match by a degree from 0 to 1, which is a factor of D, base included. So leaves are among the
/// columns, because the degree of a leaf and another vertex depends on both; and base may be 0 for
/// some keys, so that all of D is computed here.
template <class Matcher>
class GradedRows {
 public:
  using Value = typename Matcher::Value;
  using Index = typename Matcher::Index;

  /// `memory` is the budget of the thread, in bytes.
  GradedRows(const Forest& forest, Matcher matcher, std::size_t memory)
      : forest_(forest), matcher_(std::move(matcher)), rows_(forest.vertex_count(), memory) {}

  const Matcher& matcher() const { return matcher_; }
  std::size_t bytes(Slice rows, Slice columns) {
    return matcher_.bytes() + matcher_.block_bytes(rows, columns);
  }

  void start(Slice rows, Slice columns, const Index& index) {
    index_ = &index;
    rows_.start(index);
    matcher_.start(forest_, index);
    matcher_.start_block(rows, columns, forest_, index);
  }
  /// Keeps the row if there are parents.
  Differences<Value> differences_of(const RowIndex::Vertex& u, std::uint32_t group) {
    const auto row_of = [&](VertexId child) { return this->row_of(child); };
    Value* const kept = u.is_child ? rows_.add(u.id, group, *index_) + 1 : nullptr;
    return matcher_.differences_of(forest_, u.id, group, row_of, kept);
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
    const std::uint32_t g = index_->group_of(matcher_.key(forest_, v));
    if (g == none) return;
    matcher_.start_row(forest_, v, index_->group(g));
    matcher_.set_base_row(rows_.add(v, g, *index_) + 1);
  }

  const Forest& forest_;
  Matcher matcher_;
  const Index* index_ = nullptr;
  KeptRows<Value> rows_;
};

}  // namespace espalier
