#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "engine/matcher.hpp"
#include "engine/pair_leaf.hpp"
#include "engine/tree_kernel.hpp"
#include "espalier/base/context.hpp"

namespace espalier {

/// How often each key occurs in each bag. `keys` receives the key of each vertex, or none if it
/// does not count.
template <ExactMatcher M>
KeyCounts count_keys_of(const Bags& bags, const TreeKernelNode& kernel,
                        std::vector<std::uint32_t>& keys) {
  const Forest& forest = bags.forest();
  const auto& options = std::get<typename M::Options>(kernel.options);
  const LabelSelection selection(forest.labels(), kernel.labels);
  keys.resize(forest.vertex_count());
  for (VertexId v = 0; v < keys.size(); ++v) {
    const bool counts = selection.has(forest.label(v)) && M::counts(forest, options, v);
    keys[v] = counts ? M::key(forest, v) : none;
  }
  return count_keys(bags, M::key_count(forest), keys, M::may_weigh_leaves);
}

template <ExactMatcher M>
struct ExactColumns final : PreparedColumns {
  KeyColumns<double> keys;
  typename M::Shared shared;
  typename M::Index index;

  ExactColumns(const Bags& columns, const TreeKernelNode& kernel)
      : shared(M::share(columns.forest(), {columns.forest().labels(), kernel.labels})) {
    const Slice all{0, columns.size()};
    std::vector<std::uint32_t> vertices;
    keys.build(count_keys_of<M>(columns, kernel, vertices), all, true);
    const M matcher({&kernel, 1}, shared, 0);
    index.build(columns, all, matcher, ContentHashes(columns.forest()),
                std::vector<std::uint8_t>(matcher.key_count(columns.forest()), 1));
    index.keep();
  }
};

/// Data shared by the workers of a leaf. `MatcherOf<Value>` is an ExactMatcher.
template <template <class> class MatcherOf>
struct ExactPairs {
  using M = MatcherOf<double>;

  TreeLeafInput input;
  std::vector<TreeKernelNode> settings;
  bool symmetric;
  KeyCounts row_counts;
  KeyCounts own_column_counts;
  const ExactColumns<M>* prepared;
  typename M::Shared shared;
  std::optional<ContentHashes> hashes;
  std::optional<RowIndex> rows;

  ExactPairs(const TreeLeafInput& in, std::span<const TreeKernelNode> kernels)
      : input(in),
        settings(kernels.begin(), kernels.end()),
        symmetric(&in.rows == &in.columns),
        prepared(static_cast<const ExactColumns<M>*>(in.prepared)) {
    // Structure and counts do not depend on each other.
    Context context;
    context.threads = input.threads;
    parallel(
        2, context, [&](std::size_t, std::size_t task) { task == 0 ? index_rows() : count_all(); },
        [](std::size_t) { return 1; });
  }

  void index_rows() {
    const Forest& forest = input.rows.forest();
    shared = prepared != nullptr
                 ? prepared->shared
                 : M::share(forest, LabelSelection(forest.labels(), settings[0].labels));
    prepared != nullptr ? hashes.emplace(input.rows) : hashes.emplace(forest);
    rows.emplace(input.rows, M(settings, shared, 0), *hashes);
  }

  void count_all() {
    std::vector<std::uint32_t> keys;
    row_counts = count_keys_of<M>(input.rows, settings[0], keys);
    if (prepared != nullptr || symmetric) return;
    keep_only_keys_of(row_counts.all, keys);
    own_column_counts =
        count_keys(input.columns, M::key_count(input.rows.forest()), keys, M::may_weigh_leaves);
  }

  template <class Value>
  auto computer(std::span<const TreeKernelNode> kernels) const {
    MatcherOf<Value> matcher(kernels, shared, input.memory);
    BaseSums<Value> base(row_counts, symmetric ? row_counts : own_column_counts, matcher.base(),
                         matcher.leaf_base(), prepared != nullptr ? &prepared->keys : nullptr);
    return PairProduct(*rows, input.columns, *hashes, std::move(base),
                       MatchedRows(input.rows.forest(), std::move(matcher), input.memory),
                       prepared != nullptr ? &prepared->index : nullptr);
  }
};

/// A tree kernel in which two nodes match if their keys are equal: then D is a base value, and
/// differs from it only if children match, which the matcher computes.
template <template <class> class MatcherOf>
TreeKernel exact_kernel() {
  return {.bags_leaf = make_pair_leaf<ExactPairs<MatcherOf>>,
          .prepare = [](const Bags& columns,
                        const TreeKernelNode& kernel) -> std::unique_ptr<PreparedColumns> {
            return std::make_unique<ExactColumns<MatcherOf<double>>>(columns, kernel);
          }};
}

}  // namespace espalier
