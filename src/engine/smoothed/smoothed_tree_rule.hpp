#pragma once

#include <memory>
#include <vector>

#include "base/simd.hpp"
#include "engine/partial_tree/partial_tree_rule.hpp"
#include "engine/smoothed/similarity_block.hpp"

namespace espalier {

/// Equal for vertices if the classes of their labels and of their children's labels are. All leaves
/// share the largest one: they have no children to match.
std::vector<std::uint32_t> class_sequences(const Forest& forest, const LabelSimilarity& labels);

/// D of the smoothed partial tree kernels: that of PT, times the similarity of the two labels.
template <class V>
class SmoothedTreeRule {
 public:
  using Value = V;
  static constexpr bool graded = true;
  static constexpr ChildMatching matching = ChildMatching::all;

  /// `signatures` are class_sequences() of the forest; `memory` is the budget of the thread, in
  /// bytes.
  SmoothedTreeRule(const PartialTreeParameters<Value>& parameters, std::size_t memory,
                   const LabelSimilarity& labels, const std::vector<std::uint32_t>& signatures,
                   std::shared_ptr<SimilarityBlock> similarities)
      : plain_(parameters, memory),
        labels_(labels),
        signatures_(signatures),
        signature_count_(signatures.empty() ? 0 : std::ranges::max(signatures) + std::size_t{1}),
        similarities_(std::move(similarities)) {}

  std::size_t key_count(const Forest&) const { return labels_.class_count(); }
  std::uint32_t key(const Forest& forest, VertexId v) const {
    return labels_.class_of(forest.label(v));
  }
  std::size_t signature_count(const Forest&) const { return signature_count_; }
  std::uint32_t signature(const Forest&, VertexId v) const { return signatures_[v]; }
  /// Not a content hash: the classes of labels depend on the whole label table.
  std::uint64_t signature_hash(const ContentHashes&, const Forest& forest, VertexId v) const {
    return std::uint64_t{signature(forest, v)} << 32;
  }
  static bool matches(const Forest&, VertexId) { return true; }
  static bool matters(const Forest&, VertexId) { return true; }
  const Value& base() const { return plain_.base(); }
  const Value& leaf_base() const { return plain_.leaf_base(); }

  /// Whether differences are D itself, including base: for words, whose base value depends on the
  /// pair.
  bool adds_base(const Forest& forest, VertexId u) const {
    return labels_.has_vectors(forest.label(u));
  }

  std::size_t block_bytes(Slice rows, Slice columns) { return similarities_->bytes(rows, columns); }

  void start_block(Slice rows, Slice columns, const Forest& forest, const RunIndex& index) {
    similarities_->build(rows, columns);
    slots_.clear();
    bases_.clear();
    for (const VertexId v : index.vertices()) {
      slots_.push_back(similarities_->slot(forest.label(v)));
      bases_.push_back(forest.is_leaf(v) ? leaf_base() : base());
    }
    leaf_bases_.resize(std::max(leaf_bases_.size(), bases_.size()), leaf_base());
  }

  void start_row(const Forest& forest, VertexId u, const Positions& group) {
    similar_ = similarities_->row(forest.label(u));
    adds_base_ = adds_base(forest, u);
    leaf_ = forest.is_leaf(u);
    group_ = group;
    plain_leaves_.clear();
    for (const VertexId child : forest.children(u)) {
      const bool plain = forest.is_leaf(child) && !labels_.has_vectors(forest.label(child));
      plain_leaves_.push_back(plain ? 1 : 0);
    }
  }

  void set_base_row(Value* row) const {
    if (adds_base_) {
      std::fill_n(row, group_.size(), Value(0));
      grade(row);
    } else {
      std::copy_n(bases(), group_.size(), row);
    }
  }

  bool counts_children() const { return plain_.counts_children(); }

  static bool is_table(std::size_t count, std::size_t m, std::size_t n) {
    return PartialTreeRule<Value>::is_table(count, m, n);
  }
  /// Without the degrees.
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

  /// For a vertex that adds_base().
  void grade(Value* values) const { multiply(similar_, slots(), bases(), group_.size(), values); }

 private:
  const std::uint32_t* slots() const { return slots_.data() + group_.begin; }
  const Value* bases() const { return leaf_ ? leaf_bases_.data() : bases_.data() + group_.begin; }

  /// Turns differences into D.
  ESPALIER_SIMD static void multiply(SimilarityBlock::Row similar, const std::uint32_t* slots,
                                     const Value* bases, std::size_t size,
                                     Value* __restrict values) {
    for (std::size_t k = 0; k < size; ++k) {
      const double degree = static_cast<double>(similar.values[slots[k] - similar.first]);
      values[k] = Value(degree) * (bases[k] + values[k]);
    }
  }

  PartialTreeRule<Value> plain_;
  const LabelSimilarity& labels_;
  const std::vector<std::uint32_t>& signatures_;
  std::size_t signature_count_;
  std::shared_ptr<SimilarityBlock> similarities_;
  std::vector<std::uint32_t> slots_;  ///< per position
  std::vector<Value> bases_;          ///< per position: base with an inner vertex
  std::vector<Value> leaf_bases_;     ///< with a leaf

  // The current vertex.
  SimilarityBlock::Row similar_;
  bool adds_base_ = false;
  bool leaf_ = false;
  Positions group_{};
  std::vector<std::uint8_t> plain_leaves_;  ///< per child: whether it is one
  std::vector<Value> below_;                ///< scratch
};

}  // namespace espalier
