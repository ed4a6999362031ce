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

/// Index of columns.
template <ExactMatcher M>
struct ExactColumns {
  KeyColumns<double> keys;
  typename M::Shared shared;
  typename M::Index index;

  /// Of all columns that can match any row.
  ExactColumns(const Bags& columns, const TreeKernelNode& kernel)
      : ExactColumns(columns, kernel,
                     M::share(columns.forest(), {columns.forest().labels(), kernel.labels}),
                     ContentHashes(columns.forest()),
                     std::vector<std::uint8_t>(M::key_count(columns.forest()), 1)) {}
  /// `wanted` flags the keys of rows.
  ExactColumns(const Bags& columns, const TreeKernelNode& kernel, typename M::Shared branches,
               const ContentHashes& hashes, const std::vector<std::uint8_t>& wanted)
      : shared(std::move(branches)) {
    const Slice all{0, columns.size()};
    std::vector<std::uint32_t> vertices;
    keys.build(count_keys_of<M>(columns, kernel, vertices), all, true);
    index.build(columns, all, M({&kernel, 1}, shared, 0), hashes, wanted);
    index.keep();
  }
};

/// Index of rows.
template <ExactMatcher M>
struct ExactRows {
  typename M::Shared shared;
  std::optional<ContentHashes> hashes;
  std::optional<RowIndex> index;
  std::vector<std::uint32_t> keys;  ///< per vertex, see count_keys_of()
  KeyCounts counts;

  /// `prepared` are the columns, or null.
  ExactRows(const Bags& rows, const TreeKernelNode& kernel, const ExactColumns<M>* prepared,
            std::size_t threads) {
    // Structure and counts do not depend on each other.
    Context context;
    context.threads = threads;
    parallel(
        2, context,
        [&](std::size_t, std::size_t task) {
          task == 0 ? add_index(rows, kernel, prepared) : add_counts(rows, kernel);
        },
        [](std::size_t) { return 1; });
  }

 private:
  void add_index(const Bags& rows, const TreeKernelNode& kernel, const ExactColumns<M>* prepared) {
    const Forest& forest = rows.forest();
    shared = prepared != nullptr ? prepared->shared
                                 : M::share(forest, LabelSelection(forest.labels(), kernel.labels));
    prepared != nullptr ? hashes.emplace(rows) : hashes.emplace(forest);
    index.emplace(rows, M({&kernel, 1}, shared, 0), *hashes);
  }
  void add_counts(const Bags& rows, const TreeKernelNode& kernel) {
    counts = count_keys_of<M>(rows, kernel, keys);
  }
};

/// Data shared by the workers of a leaf. `MatcherOf<Value>` is an ExactMatcher.
template <template <class> class MatcherOf>
struct ExactPairs {
  using M = MatcherOf<double>;

  TreeLeafInput input;
  std::vector<TreeKernelNode> settings;
  bool symmetric;
  const ExactColumns<M>* prepared;
  std::optional<ExactRows<M>> own_rows;
  const ExactRows<M>* rows;
  std::optional<ExactColumns<M>> own_columns;
  KeyCounts own_column_counts;

  ExactPairs(const TreeLeafInput& in, std::span<const TreeKernelNode> kernels)
      : input(in),
        settings(kernels.begin(), kernels.end()),
        symmetric(&in.rows == &in.columns),
        prepared(static_cast<const ExactColumns<M>*>(in.prepared.get())),
        rows(static_cast<const ExactRows<M>*>(in.prepared_rows.get())) {
    if (rows != nullptr) {
      // Once for all workers, since the columns are few and long.
      prepared = &own_columns.emplace(input.columns, settings[0], rows->shared, *rows->hashes,
                                      rows->index->wanted);
      return;
    }
    rows = &own_rows.emplace(input.rows, settings[0], prepared, input.threads);
    if (prepared != nullptr || symmetric) return;
    keep_only_keys_of(own_rows->counts.all, own_rows->keys);
    own_column_counts = count_keys(input.columns, M::key_count(input.rows.forest()), own_rows->keys,
                                   M::may_weigh_leaves);
  }
  ExactPairs(const ExactPairs&) = delete;
  ExactPairs& operator=(const ExactPairs&) = delete;

  template <class Value>
  auto computer(std::span<const TreeKernelNode> kernels) const {
    MatcherOf<Value> matcher(kernels, rows->shared, input.memory);
    BaseSums<Value> base(rows->counts, symmetric ? rows->counts : own_column_counts, matcher.base(),
                         matcher.leaf_base(), prepared != nullptr ? &prepared->keys : nullptr);
    return PairProduct(*rows->index, input.columns, *rows->hashes, std::move(base),
                       MatchedRows(input.rows.forest(), std::move(matcher), input.memory),
                       prepared != nullptr ? &prepared->index : nullptr);
  }
};

/// A tree kernel in which two nodes match if their keys are equal: then D is a base value, and
/// differs from it only if children match, which the matcher computes.
template <template <class> class MatcherOf>
TreeKernel exact_kernel() {
  using M = MatcherOf<double>;
  return {.bags_leaf = make_pair_leaf<ExactPairs<MatcherOf>>,
          .prepare = [](const Bags& columns, const TreeKernelNode& kernel) -> Prepared {
            return std::make_shared<ExactColumns<M>>(columns, kernel);
          },
          .prepare_rows = [](const Bags& rows, const TreeKernelNode& kernel,
                             std::size_t threads) -> Prepared {
            return std::make_shared<ExactRows<M>>(rows, kernel, nullptr, threads);
          }};
}

}  // namespace espalier
