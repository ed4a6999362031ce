#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/simd.hpp"
#include "engine/differences.hpp"
#include "engine/kept_rows.hpp"
#include "engine/partial_tree/partial_tree_rule.hpp"
#include "engine/partial_tree/run_joins.hpp"
#include "engine/row_index.hpp"
#include "engine/smoothed/similarity_block.hpp"

namespace espalier {

/// Equal for vertices if the classes of their labels and of their children's labels are. All leaves
/// share the largest one: they have no children to match.
std::vector<std::uint32_t> class_sequences(const Forest& forest, const LabelSimilarity& labels);

/// Computes D(u, .) of the smoothed partial tree kernels for the vertices of the rows, bottom-up:
/// that of PT, times the similarity of the two labels, base included. So leaves are among the
/// columns, because the similarity of a leaf and another vertex depends on both; and base is 0 for
/// words, so that all of D is computed here.
template <class V>
class SmoothedRows {
 public:
  using Value = V;
  using Index = RunIndex;
  static constexpr bool graded = true;
  static constexpr ChildMatching matching = ChildMatching::all;

  /// `signatures` are class_sequences() of the forest; `memory` is the budget of the thread, in
  /// bytes.
  SmoothedRows(const Forest& forest, const PartialTreeParameters<Value>& parameters,
               std::size_t memory, const LabelSimilarity& labels,
               const std::vector<std::uint32_t>& signatures,
               std::shared_ptr<SimilarityBlock> similarities)
      : forest_(forest),
        plain_(parameters, memory),
        labels_(labels),
        signatures_(signatures),
        signature_count_(signatures.empty() ? 0 : std::ranges::max(signatures) + std::size_t{1}),
        similarities_(std::move(similarities)),
        joins_(memory),
        rows_(forest.vertex_count(), memory) {}

  // What matches: see Matcher.

  const SmoothedRows& matcher() const { return *this; }
  std::size_t key_count(const Forest&) const { return labels_.class_count(); }
  std::uint32_t key(const Forest& forest, VertexId v) const {
    return labels_.class_of(forest.label(v));
  }
  std::uint32_t signature(const Forest&, VertexId v) const { return signatures_[v]; }
  /// Not a content hash: the classes of labels depend on the whole label table.
  std::uint64_t signature_hash(const ContentHashes&, const Forest& forest, VertexId v) const {
    return std::uint64_t{signature(forest, v)} << 32;
  }
  static bool matches(const Forest&, VertexId) { return true; }
  static bool matters(const Forest&, VertexId) { return true; }
  const Value& base() const { return plain_.base(); }
  const Value& leaf_base() const { return plain_.leaf_base(); }

  // What a PairProduct calls.

  std::size_t bytes(Slice rows, Slice columns) {
    return joins_.bytes() + similarities_->bytes(rows, columns);
  }
  void start(Slice rows, Slice columns, const RunIndex& index) {
    index_ = &index;
    rows_.start(index);
    joins_.start(index, key_count(forest_), signature_count_);
    similarities_->build(rows, columns);
    slots_.clear();
    bases_.clear();
    for (const VertexId v : index.vertices()) {
      slots_.push_back(similarities_->slot(forest_.label(v)));
      bases_.push_back(forest_.is_leaf(v) ? leaf_base() : base());
    }
    leaf_bases_.resize(std::max(leaf_bases_.size(), bases_.size()), leaf_base());
  }
  /// Differences times similarities. Keeps the row if there are parents: the values D of the whole
  /// group.
  Differences<Value> differences_of(const RowIndex::Vertex& u, std::uint32_t group) {
    Value* const row = u.is_child ? rows_.add(u.id, group, *index_) + 1 : nullptr;
    const bool whole = is_word(u.id);
    const RunJoins::Join& join = joins_.of(*this, forest_, u.id, group, whole);
    const bool matches = !join.empty();
    children_.clear();
    if (matches) {  // before start_row(), which this may call
      for (const VertexId child : forest_.children(u.id)) children_.push_back(row_of(child));
    }
    start_row(u.id, index_->group(group));
    if (!whole && row != nullptr) set_base_row(row);
    if (!whole && !matches) return {};
    const std::size_t size = matches ? join.values : group_.size();
    if (values_.size() < size) values_.resize(size);
    // If the differences are D itself, they are computed in place.
    Value* const values = whole && row != nullptr ? row : values_.data();
    if (matches) {
      joins_.template compute<SmoothedRows, Value>(join, *this, forest_, u.id, group, children_,
                                                   values);
    } else {
      std::fill_n(values, size, Value(0));
    }
    if (whole) {
      multiply(similar_, slots(), bases(), size, values);
      return {{&group_, 1}, values};
    }
    const auto ranges = joins_.ranges_of(join);
    if (row != nullptr) add(ranges, values, row);
    return {ranges, values};
  }
  void release(VertexId v, std::uint32_t group) { rows_.release(v, group); }

  // What RunJoins calls: see RunRule. Without the similarities.

  bool counts_children() const { return plain_.counts_children(); }
  static bool is_table(std::size_t count, std::size_t m, std::size_t n) {
    return PartialTreeRule<Value>::is_table(count, m, n);
  }
  template <class MatchesOf, class RanksOf, class PlaceOf>
  void table(std::span<const Value* const> children, std::size_t others, std::size_t size,
             MatchesOf&& matches_of, RanksOf&& ranks_of, PlaceOf&& place_of, Value* out) {
    plain_.table(children, others, size, matches_of, ranks_of, place_of, out);
  }
  void differences(std::span<const Value* const> children, const MatchBatch& batch, Value* out) {
    // Most matches are of leaves that are not words: they all have the same value.
    const auto is_plain = [&](const ChildMatch& match) { return plain_leaves_[match.a] != 0; };
    if (!is_table(batch.matches.size(), children.size(), batch.others) &&
        std::ranges::all_of(batch.matches, is_plain)) {
      below_.assign(batch.matches.size(), leaf_base());
      const Value difference =
          plain_.difference(below_, batch.matches, children.size(), batch.others);
      for (std::size_t k = 0; k < batch.size; ++k) out[batch.places[k]] = difference;
    } else {
      plain_.differences(children, batch, out);
    }
  }

 private:
  /// The differences of words are D itself, including base, which depends on the pair.
  bool is_word(VertexId u) const { return labels_.has_vectors(forest_.label(u)); }

  /// Null if no column has the key of the vertex.
  const Value* row_of(VertexId v) {
    if (rows_.of(v) == nullptr) make_base_row(v);
    return rows_.of(v);
  }
  /// The row of a vertex without matching children.
  void make_base_row(VertexId v) {
    const std::uint32_t g = index_->group_of(key(forest_, v));
    if (g == none) return;
    start_row(v, index_->group(g));
    set_base_row(rows_.add(v, g, *index_) + 1);
  }
  /// Makes u the current vertex.
  void start_row(VertexId u, const Positions& group) {
    similar_ = similarities_->row(forest_.label(u));
    vertex_ = u;
    group_ = group;
    plain_leaves_.clear();
    for (const VertexId child : forest_.children(u)) {
      plain_leaves_.push_back(forest_.is_leaf(child) && !is_word(child) ? 1 : 0);
    }
  }
  /// Similarity times base for each vertex of the group.
  void set_base_row(Value* row) const {
    if (is_word(vertex_)) {
      std::fill_n(row, group_.size(), Value(0));
      multiply(similar_, slots(), bases(), group_.size(), row);
    } else {
      std::copy_n(bases(), group_.size(), row);
    }
  }
  const std::uint32_t* slots() const { return slots_.data() + group_.begin; }
  const Value* bases() const {
    return forest_.is_leaf(vertex_) ? leaf_bases_.data() : bases_.data() + group_.begin;
  }

  /// Turns differences into D.
  ESPALIER_SIMD static void multiply(SimilarityBlock::Row similar, const std::uint32_t* slots,
                                     const Value* bases, std::size_t size,
                                     Value* __restrict values) {
    for (std::size_t k = 0; k < size; ++k) {
      const double degree = static_cast<double>(similar.values[slots[k] - similar.first]);
      values[k] = Value(degree) * (bases[k] + values[k]);
    }
  }
  void add(std::span<const Positions> ranges, const Value* difference, Value* row) const {
    for (const Positions& range : ranges) {
      Value* const out = row + (range.begin - group_.begin);
      for (std::uint32_t k = 0; k < range.size(); ++k) out[k] += *difference++;
    }
  }

  const Forest& forest_;
  PartialTreeRule<Value> plain_;
  const LabelSimilarity& labels_;
  const std::vector<std::uint32_t>& signatures_;
  std::size_t signature_count_;
  std::shared_ptr<SimilarityBlock> similarities_;
  RunJoins joins_;
  KeptRows<Value> rows_;
  const RunIndex* index_ = nullptr;
  std::vector<std::uint32_t> slots_;  ///< per position
  std::vector<Value> bases_;          ///< per position: base with an inner vertex
  std::vector<Value> leaf_bases_;     ///< with a leaf

  // The current vertex.
  VertexId vertex_ = none;
  SimilarityBlock::Row similar_;
  Positions group_{};
  std::vector<const Value*> children_;      ///< rows of the children
  std::vector<std::uint8_t> plain_leaves_;  ///< per child: whether it is one
  std::vector<Value> values_;
  std::vector<Value> below_;  ///< scratch
};

}  // namespace espalier
