#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/differences.hpp"
#include "engine/label_selection.hpp"
#include "engine/partial_tree/key_rows.hpp"
#include "engine/partial_tree/run_joins.hpp"

namespace espalier {

/// What RunMatcher needs, besides the values of a Matcher.
template <class R>
concept RunRule = requires(R rule, std::span<const typename R::Value* const> children,
                           const MatchBatch& batch, typename R::Value* out) {
  /// Whether the number of children matters beyond those that match.
  { rule.counts_children() } -> std::convertible_to<bool>;
  /// Which children match. If all do, the rule also has is_table() and table().
  { R::matching } -> std::convertible_to<ChildMatching>;
  /// Writes D(u,v) - base for all columns of a batch to their places; `children` are the rows of
  /// u's children.
  rule.differences(children, batch, out);
};

/// A matcher for kernels whose nodes match by their labels, at any position. Only pairs that differ
/// from base are visited, and those with the same match pattern are computed together (RunJoins).
template <RunRule Rule>
class RunMatcher : public Rule {
 public:
  using Value = typename Rule::Value;
  using Index = RunIndex;
  using Shared = std::shared_ptr<const LabelSelection>;
  static constexpr bool graded = false;

  /// `memory` is the budget of the whole thread, in bytes.
  RunMatcher(std::span<const TreeKernelNode> settings, Shared selection, std::size_t memory)
      : Rule(settings, memory), selection_(std::move(selection)), joins_(memory) {}

  static Shared share(const Forest&, const LabelSelection& selection) {
    return std::make_shared<const LabelSelection>(selection);
  }
  static std::size_t key_count(const Forest& forest) { return forest.labels().size(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.label(v); }
  static std::size_t signature_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t signature(const Forest& forest, VertexId v) { return forest.production(v); }
  static std::uint64_t signature_hash(const ContentHashes& hashes, const Forest& forest,
                                      VertexId v) {
    return hashes.production(forest.production(v));
  }
  /// Whether the vertex can match others: its label is selected.
  bool matches(const Forest& forest, VertexId v) const { return selection_->has(forest.label(v)); }
  bool matters(const Forest& forest, VertexId v) const {
    return !forest.is_leaf(v) && matches(forest, v);
  }
  static bool counts(const Forest&, const auto& /*options*/, VertexId) { return true; }

  std::size_t bytes() const { return joins_.bytes(); }
  void start(const Forest& forest, const RunIndex& index) {
    index_ = &index;
    joins_.start(index, key_count(forest), signature_count(forest));
  }

  template <class RowOf>
  Differences<Value> differences_of(const Forest& forest, VertexId u, std::uint32_t group,
                                    RowOf&& row_of) {
    const RunJoins::Join& join = joins_.of(*this, forest, u, group, false);
    if (join.empty()) return {};
    if (values_.size() < join.values) values_.resize(join.values);
    children_.clear();
    for (const VertexId child : forest.children(u)) children_.push_back(row_of(child));
    if constexpr (Rule::matching == ChildMatching::by_key) {
      key_rows_.sum(*this, forest, *index_, forest.children(u), children_);
    }
    joins_.template compute<RunMatcher, Value>(join, *this, forest, u, group, children_,
                                               values_.data());
    return {joins_.ranges_of(join), values_.data()};
  }

 private:
  Shared selection_;
  const RunIndex* index_ = nullptr;
  RunJoins joins_;
  KeyRows<Value> key_rows_;
  std::vector<const Value*> children_;  ///< rows of the children of the current vertex
  std::vector<Value> values_;
};

}  // namespace espalier
