#pragma once

#include <algorithm>
#include <concepts>
#include <utility>
#include <vector>

#include "engine/differences.hpp"
#include "engine/kept_rows.hpp"
#include "engine/row_index.hpp"

namespace espalier {

/// What the engine needs of a kernel whose nodes match if their keys are equal. D(u,v) is base()
/// for two vertices with the same key, unless children match; leaf_base() if one of them is a leaf.
template <class M>
concept Matcher = requires(M matcher, const Forest& forest, const ContentHashes& hashes, VertexId v,
                           const typename M::Index& index, std::uint32_t group,
                           const typename M::Value* (*row_of)(VertexId)) {
  { matcher.key_count(forest) } -> std::convertible_to<std::size_t>;
  { matcher.key(forest, v) } -> std::convertible_to<std::uint32_t>;
  /// The order within a group of columns with the same key.
  { matcher.signature_hash(hashes, forest, v) } -> std::convertible_to<std::uint64_t>;
  /// Whether D of this vertex can differ from base.
  { matcher.matters(forest, v) } -> std::convertible_to<bool>;
  { matcher.base() } -> std::convertible_to<typename M::Value>;
  { matcher.leaf_base() } -> std::convertible_to<typename M::Value>;
  /// Memory that it keeps between vertices.
  { matcher.bytes() } -> std::convertible_to<std::size_t>;
  matcher.start(forest, index);
  /// D(u,v) - base where u may match. row_of(child) returns the values D(child, .) of the columns
  /// with the key of the child, by rank.
  {
    matcher.differences_of(forest, v, group, row_of)
    } -> std::convertible_to<Differences<typename M::Value>>;
};

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

}  // namespace espalier
