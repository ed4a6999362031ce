#pragma once

#include <memory>
#include <vector>

#include "kernel/partial_tree_rule.hpp"
#include "kernel/similarity_block.hpp"

namespace espalier {

/// For each inner vertex a number, equal when the labels of the children are of the same classes,
/// one by one; none for leaves.
std::vector<std::uint32_t> class_sequences(const Forest& forest, const LabelSimilarity& labels);

/// D of the smoothed partial tree kernels: that of PT, times the similarity of the two labels.
template <class V>
class SmoothedTreeRule {
 public:
  using Value = V;
  static constexpr bool graded = true;
  static constexpr bool any_place = true;

  /// `signatures` are class_sequences() of the forest.
  SmoothedTreeRule(const PartialTreeParameters<Value>& parameters, const LabelSimilarity& labels,
                   std::span<const std::uint32_t> signatures,
                   std::shared_ptr<SimilarityBlock> similarities)
      : plain_(parameters),
        labels_(labels),
        signatures_(signatures),
        similarities_(std::move(similarities)) {}

  std::size_t key_count(const Forest&) const { return labels_.class_count(); }
  std::uint32_t key(const Forest& forest, VertexId v) const {
    return labels_.class_of(forest.label(v));
  }
  std::uint32_t signature(const Forest&, VertexId v) const { return signatures_[v]; }
  static bool joins(const Forest&, VertexId) { return true; }
  const Value& base() const { return plain_.base(); }
  const Value& leaf_base() const { return plain_.leaf_base(); }

  void start_block(Slice rows, Slice columns, const Forest& forest, const ColumnIndex& index) {
    similarities_->build(rows, columns);
    slots_.clear();
    bases_.clear();
    for (const VertexId v : index.vertices()) {
      slots_.push_back(similarities_->slot(forest.label(v)));
      bases_.push_back(forest.is_leaf(v) ? leaf_base() : base());
    }
  }

  void start_row(const Forest& forest, VertexId u, const ColumnIndex::Group& group) {
    const auto& row = similarities_->row(forest.label(u));
    leaf_ = forest.is_leaf(u);
    group_ = group;
    if (degrees_.size() < group.size()) degrees_.resize(group.size());
    for (std::uint32_t p = group.begin; p < group.end; ++p) {
      degrees_[p - group.begin] = static_cast<double>(row.values[slots_[p] - row.first]);
    }
    plain_leaves_.clear();
    for (const VertexId child : forest.children(u)) {
      const bool plain = forest.is_leaf(child) && !labels_.has_vectors(forest.label(child));
      plain_leaves_.push_back(plain ? 1 : 0);
    }
  }

  void set_base_row(Value* row) const {
    const Value* const bases = bases_.data() + group_.begin;
    for (std::uint32_t k = 0; k < group_.size(); ++k) {
      row[k] = Value(degrees_[k]) * (leaf_ ? leaf_base() : bases[k]);
    }
  }

  void extras(std::span<const Value* const> children, std::span<const ChildMatch> matches,
              const ColumnIndex& index, const ColumnIndex::Run& run, Value* out) {
    const double* const degrees = degrees_.data() + (run.begin - group_.begin);
    // Leaves that are no words match in one way only, and that is most of what matches.
    const auto is_plain = [&](const ChildMatch& match) { return plain_leaves_[match.a] != 0; };
    if (std::ranges::all_of(matches, is_plain)) {
      below_.assign(matches.size(), leaf_base());
      const Value extra = plain_.extra(below_, matches, children.size(), run.children);
      for (std::size_t k = 0; k < run.size(); ++k) out[k] = extra * Value(degrees[k]);
      return;
    }
    plain_.extras(children, matches, index, run, out);
    for (std::size_t k = 0; k < run.size(); ++k) out[k] *= Value(degrees[k]);
  }

 private:
  PartialTreeRule<Value> plain_;
  const LabelSimilarity& labels_;
  std::span<const std::uint32_t> signatures_;
  std::shared_ptr<SimilarityBlock> similarities_;
  std::vector<std::uint32_t> slots_;  ///< per position
  std::vector<Value> bases_;          ///< per position: base with an inner vertex

  // The vertex at hand.
  bool leaf_ = false;
  ColumnIndex::Group group_{};
  std::vector<double> degrees_;             ///< with each vertex of the group
  std::vector<std::uint8_t> plain_leaves_;  ///< per child: whether it is one
  std::vector<Value> below_;                ///< scratch
};

}  // namespace espalier
