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
    places_.clear();
    for (const VertexId v : index.vertices()) {
      places_.push_back({similarities_->slot(forest.label(v)), forest.is_leaf(v)});
    }
  }

  void start_row(const Forest& forest, VertexId u, const ColumnIndex::Group& group) {
    const auto& row = similarities_->row(forest.label(u));
    leaf_ = forest.is_leaf(u);
    group_ = group;
    if (degrees_.size() < group.size()) degrees_.resize(group.size());
    for (std::uint32_t p = group.begin; p < group.end; ++p) {
      degrees_[p - group.begin] = static_cast<double>(row.values[places_[p].slot - row.first]);
    }
  }

  void set_base_row(Value* row) const {
    for (std::uint32_t k = 0; k < group_.size(); ++k) {
      const bool with_leaf = leaf_ || places_[group_.begin + k].leaf;
      row[k] = Value(degrees_[k]) * (with_leaf ? leaf_base() : base());
    }
  }

  void extras(std::span<const Value* const> children, std::span<const ChildMatch> matches,
              const ColumnIndex& index, const ColumnIndex::Run& run, Value* out) {
    plain_.extras(children, matches, index, run, out);
    const double* const degrees = degrees_.data() + (run.begin - group_.begin);
    for (std::size_t k = 0; k < run.size(); ++k) out[k] *= Value(degrees[k]);
  }

 private:
  struct Place {
    std::uint32_t slot;
    bool leaf;
  };

  PartialTreeRule<Value> plain_;
  const LabelSimilarity& labels_;
  std::span<const std::uint32_t> signatures_;
  std::shared_ptr<SimilarityBlock> similarities_;
  std::vector<Place> places_;  ///< per position

  // The vertex at hand.
  bool leaf_ = false;
  ColumnIndex::Group group_{};
  std::vector<double> degrees_;  ///< with each vertex of the group
};

}  // namespace espalier
