#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base_sums.hpp"
#include "engine/pair_leaf.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/context.hpp"

namespace espalier {

/// A tree kernel in which two nodes match if their keys are equal: then D is a base value, and
/// differs from it only if children match, which a matcher computes (see Matcher).
template <class Rule>
concept ExactRule = requires(const Forest& forest, const typename Rule::Options& options,
                             const typename Rule::Shared& shared, VertexId v,
                             std::span<const TreeKernelNode> settings, std::size_t memory) {
  /// Data shared by all matchers of a leaf.
  requires std::constructible_from<typename Rule::Shared, const Forest&,
                                   const typename Rule::Shared*>;
  { Rule::key_count(forest) } -> std::convertible_to<std::size_t>;
  /// The key of a vertex, or none if it counts nowhere.
  { Rule::key(forest, options, v) } -> std::convertible_to<std::uint32_t>;
  /// Whether pairs with a leaf may have another base value than pairs of inner nodes.
  { Rule::may_weigh_leaves } -> std::convertible_to<bool>;
  {
    Rule::template matcher<double>(settings, shared, memory).base()
    } -> std::convertible_to<double>;
};

/// How often each key occurs in each bag. `keys` receives the key of each vertex.
template <ExactRule Rule>
KeyCounts count_keys_of(const Bags& bags, const typename Rule::Options& options,
                        std::vector<std::uint32_t>& keys) {
  const Forest& forest = bags.forest();
  keys.resize(forest.vertex_count());
  for (VertexId v = 0; v < keys.size(); ++v) keys[v] = Rule::key(forest, options, v);
  return count_keys(bags, Rule::key_count(forest), keys, Rule::may_weigh_leaves);
}

template <ExactRule Rule>
struct ExactColumns final : PreparedColumns {
  using Matcher =
      decltype(Rule::template matcher<double>({}, std::declval<const typename Rule::Shared&>(), 0));
  KeyColumns keys;
  typename Rule::Shared shared;
  typename Matcher::Index index;

  ExactColumns(const Bags& columns, const TreeKernelNode& kernel)
      : shared(columns.forest(), nullptr) {
    const Slice all{0, columns.size()};
    std::vector<std::uint32_t> vertices;
    const KeyCounts counts =
        count_keys_of<Rule>(columns, std::get<typename Rule::Options>(kernel.options), vertices);
    keys.all.build(counts.all, all);
    keys.inner.build(counts.inner, all);
    const Matcher matcher = Rule::template matcher<double>({&kernel, 1}, shared, 0);
    index.build(columns, all, matcher, ContentHashes(columns.forest()),
                std::vector<std::uint8_t>(matcher.key_count(columns.forest()), 1));
    index.keep();
  }
};

/// Data shared by the workers of a leaf.
template <ExactRule Rule>
struct ExactPairs {
  TreeLeafInput input;
  std::vector<TreeKernelNode> settings;
  bool symmetric;
  KeyCounts row_counts;
  KeyCounts own_column_counts;
  const ExactColumns<Rule>* prepared;
  std::optional<typename Rule::Shared> shared;
  std::optional<ContentHashes> hashes;
  std::optional<RowIndex> rows;

  ExactPairs(const TreeLeafInput& in, std::span<const TreeKernelNode> kernels)
      : input(in),
        settings(kernels.begin(), kernels.end()),
        symmetric(&in.rows == &in.columns),
        prepared(static_cast<const ExactColumns<Rule>*>(in.prepared)) {
    // Structure and counts do not depend on each other.
    Context context;
    context.threads = input.threads;
    parallel(
        2, context, [&](std::size_t, std::size_t task) { task == 0 ? index_rows() : count_all(); },
        [](std::size_t) { return 1; });
  }

  void index_rows() {
    shared.emplace(input.rows.forest(), prepared != nullptr ? &prepared->shared : nullptr);
    prepared != nullptr ? hashes.emplace(input.rows) : hashes.emplace(input.rows.forest());
    rows.emplace(input.rows, Rule::template matcher<double>(settings, *shared, 0), *hashes);
  }

  void count_all() {
    std::vector<std::uint32_t> keys;
    row_counts = count_keys_of<Rule>(input.rows,
                                     std::get<typename Rule::Options>(settings[0].options), keys);
    if (prepared != nullptr || symmetric) return;
    keep_only_keys_of(row_counts.all, keys);
    own_column_counts = count_keys(input.columns, Rule::key_count(input.rows.forest()), keys,
                                   Rule::may_weigh_leaves);
  }

  template <class Value>
  auto computer(std::span<const TreeKernelNode> kernels) const {
    auto matcher = Rule::template matcher<Value>(kernels, *shared, input.memory);
    const BaseValues<Value> base(matcher.base(), matcher.leaf_base());
    const KeyCounts& column_counts = symmetric ? row_counts : own_column_counts;
    return PairComputer(*rows, input.columns, *hashes,
                        BaseSums<Value>(row_counts, column_counts, base,
                                        prepared != nullptr ? &prepared->keys : nullptr),
                        MatchedRows(input.rows.forest(), std::move(matcher), input.memory),
                        prepared != nullptr ? &prepared->index : nullptr);
  }
};

template <ExactRule Rule>
class ExactKernel final : public TreeKernel {
 public:
  using TreeKernel::leaf;
  std::unique_ptr<Leaf> leaf(const TreeLeafInput& input,
                             std::span<const TreeKernelNode> settings) const override {
    return std::make_unique<PairLeaf<ExactPairs<Rule>>>(input, settings);
  }
  std::unique_ptr<PreparedColumns> prepare(const Bags& columns,
                                           const TreeKernelNode& kernel) const override {
    return std::make_unique<ExactColumns<Rule>>(columns, kernel);
  }
};

}  // namespace espalier
