#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "espalier/base/context.hpp"
#include "kernel/base_sums.hpp"
#include "kernel/pair_leaf.hpp"
#include "kernel/partial_tree_rule.hpp"
#include "kernel/subset_tree_matcher.hpp"

namespace espalier {

namespace {

/// Data shared by the matchers of a leaf: nothing, or the branches of the forest.
template <class Options>
struct Shared {
  Shared(const Forest&, const Shared*) {}
};

template <>
struct Shared<SubsetTreeOptions> {
  std::optional<Branches> own;
  const Branches& branches;

  /// `columns` is that of prepared columns, or null.
  Shared(const Forest& forest, const Shared* columns)
      : branches(columns != nullptr ? columns->branches : own.emplace(forest)) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
};

template <class Value>
auto make_matcher(std::span<const TreeKernelNode> settings, const SubsetTreeOptions&,
                  const Shared<SubsetTreeOptions>& shared, std::size_t) {
  return SubsetTreeMatcher<Value>(
      lanes<Value, SubsetTreeOptions>(settings, &SubsetTreeOptions::decay), shared.branches);
}

template <class Value>
auto make_matcher(std::span<const TreeKernelNode> settings, const PartialTreeOptions&,
                  const Shared<PartialTreeOptions>&, std::size_t memory) {
  return RunMatcher(
      PartialTreeRule<Value>(partial_tree_parameters<Value, PartialTreeOptions>(settings)), memory);
}

template <class Value>
auto make_matcher(std::span<const TreeKernelNode> settings, const SubpathOptions&,
                  const Shared<SubpathOptions>&, std::size_t memory) {
  PartialTreeParameters<Value> p;
  p.decay = lanes<Value, SubpathOptions>(settings, &SubpathOptions::decay);
  p.factor = p.inner_base = p.leaf_base = p.decay;
  p.step = Value(1);
  p.paths_only = true;
  return RunMatcher(PartialTreeRule<Value>(p), memory);
}

/// The keys of SST, PT and subpath kernels: two nodes match if their keys are equal.
template <class Options>
struct Keys {
  std::size_t count;
  std::vector<std::uint32_t> of;  ///< per vertex, or none

  Keys(const Forest& forest, const Options& options) : of(forest.vertex_count()) {
    if constexpr (std::is_same_v<Options, SubsetTreeOptions>) {
      count = forest.production_count();
      for (VertexId v = 0; v < of.size(); ++v) {
        of[v] = options.leaves || !forest.is_leaf(v) ? forest.production(v) : none;
      }
    } else {
      count = forest.labels().size();
      for (VertexId v = 0; v < of.size(); ++v) of[v] = forest.label(v);
    }
  }
};

/// The matcher of a kernel for a value type.
template <class Options, class Value>
using Matcher = decltype(make_matcher<Value>({}, std::declval<const Options&>(),
                                             std::declval<const Shared<Options>&>(), 0));

template <class Options>
struct ExactColumns final : PreparedColumns {
  KeyColumns keys;
  Shared<Options> shared;
  typename Matcher<Options, double>::Index index;

  ExactColumns(const Bags& columns, const TreeKernelNode& kernel)
      : shared(columns.forest(), nullptr) {
    const Slice all{0, columns.size()};
    const auto& options = std::get<Options>(kernel.options);
    const Keys<Options> vertices(columns.forest(), options);
    const KeyCounts counts =
        count_keys(columns, vertices.count, vertices.of, may_weigh_leaves<Options>);
    keys.all.build(counts.all, all);
    keys.inner.build(counts.inner, all);
    const auto matcher = make_matcher<double>({&kernel, 1}, options, shared, 0);
    index.build(columns, all, matcher, ContentHashes(columns.forest()),
                std::vector<std::uint8_t>(matcher.key_count(columns.forest()), 1));
    index.keep();
  }
};

/// Data shared by the workers of an SST, PT or subpath kernel.
template <class Options>
struct ExactPairs {
  TreeLeafInput input;
  std::vector<TreeKernelNode> settings;
  bool symmetric;
  KeyCounts row_counts;
  KeyCounts own_column_counts;
  const ExactColumns<Options>* prepared;
  std::optional<Shared<Options>> shared;
  std::optional<ContentHashes> hashes;
  std::optional<RowIndex> rows;

  ExactPairs(const TreeLeafInput& in, std::span<const TreeKernelNode> kernels)
      : input(in),
        settings(kernels.begin(), kernels.end()),
        symmetric(&in.rows == &in.columns),
        prepared(static_cast<const ExactColumns<Options>*>(in.prepared)) {
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
    rows.emplace(input.rows, make_matcher<double>(settings, options(), *shared, 0), *hashes);
  }

  void count_all() {
    Keys<Options> keys(input.rows.forest(), options());
    row_counts = count_keys(input.rows, keys.count, keys.of, may_weigh_leaves<Options>);
    if (prepared != nullptr || symmetric) return;
    keep_only_keys_of(row_counts.all, keys.of);
    own_column_counts = count_keys(input.columns, keys.count, keys.of, may_weigh_leaves<Options>);
  }

  const Options& options() const { return std::get<Options>(settings[0].options); }

  template <class Value>
  auto computer(std::span<const TreeKernelNode> kernels) const {
    auto matcher = make_matcher<Value>(kernels, options(), *shared, input.memory);
    const BaseValues<Value> base{matcher.base(), matcher.leaf_base() - matcher.base(),
                                 weighs_leaves<Options>(settings)};
    const KeyCounts& column_counts = symmetric ? row_counts : own_column_counts;
    return PairComputer(*rows, input.columns, *hashes,
                        BaseSums<Value>(row_counts, column_counts, base,
                                        prepared != nullptr ? &prepared->keys : nullptr),
                        std::move(matcher), prepared != nullptr ? &prepared->index : nullptr);
  }
};

/// Resets the options that may differ between lanes.
struct WithoutNumbers {
  SubtreeOptions operator()(SubtreeOptions o) const {
    o.decay = 0;
    return o;
  }
  SubsetTreeOptions operator()(SubsetTreeOptions o) const {
    o.decay = 0;
    return o;
  }
  PartialTreeOptions operator()(PartialTreeOptions o) const {
    o.decay = o.depth_decay = o.terminal = 0;
    return o;
  }
  SmoothedTreeOptions operator()(SmoothedTreeOptions o) const {
    o.decay = o.depth_decay = o.terminal = 0;
    return o;
  }
  CompositionalTreeOptions operator()(CompositionalTreeOptions o) const {
    o.decay = o.depth_decay = o.terminal = 0;
    return o;
  }
  WordsOptions operator()(WordsOptions o) const { return o; }
  SubpathOptions operator()(SubpathOptions o) const {
    o.decay = 0;
    return o;
  }
  DistributedTreeOptions operator()(const DistributedTreeOptions& o) const { return o; }
};

}  // namespace

ForestOptions forest_options(const TreeKernelNode& kernel) {
  const auto* subtree = std::get_if<SubtreeOptions>(&kernel.options);
  if (subtree == nullptr) return {};
  return {.ordered = !subtree->unordered, .labelled = subtree->labels};
}

bool sums_over_trees(const KernelNode& node) {
  const auto* leaf = std::get_if<TreeKernelNode>(&node.what);
  if (leaf == nullptr) return false;
  const auto* subtree = std::get_if<SubtreeOptions>(&leaf->options);
  return subtree == nullptr || subtree->count == SubtreeCount::product;
}

bool same_structure(const TreeKernelNode& a, const TreeKernelNode& b) {
  if (a.tree != b.tree || a.options.index() != b.options.index()) return false;
  return std::visit(
      [&]<class Options>(const Options& options) {
        constexpr WithoutNumbers plain;
        return plain(options) == plain(std::get<Options>(b.options));
      },
      a.options);
}

std::unique_ptr<PreparedColumns> prepare_columns(const Bags& columns,
                                                 const TreeKernelNode& kernel) {
  return std::visit(
      [&]<class Options>(const Options&) -> std::unique_ptr<PreparedColumns> {
        if constexpr (std::is_same_v<Options, SubsetTreeOptions> ||
                      std::is_same_v<Options, PartialTreeOptions> ||
                      std::is_same_v<Options, SubpathOptions>) {
          return std::make_unique<ExactColumns<Options>>(columns, kernel);
        } else {
          return nullptr;
        }
      },
      kernel.options);
}

std::unique_ptr<Leaf> make_tree_leaf(const TreeLeafInput& input,
                                     std::span<const TreeKernelNode> settings) {
  return std::visit(
      [&]<class Options>(const Options&) -> std::unique_ptr<Leaf> {
        if constexpr (std::is_same_v<Options, SubtreeOptions>) {
          std::vector<SubtreeOptions> options;
          for (const auto& s : settings) options.push_back(std::get<Options>(s.options));
          return make_subtree_leaf(input, options);
        } else if constexpr (std::is_base_of_v<SimilarityOptions, Options>) {
          return make_smoothed_leaf(input, settings);
        } else if constexpr (std::is_same_v<Options, DistributedTreeOptions>) {
          throw std::logic_error(
              "distributed trees have a leaf of their own: make_distributed_leaf");
        } else {
          return std::make_unique<PairLeaf<ExactPairs<Options>>>(input, settings);
        }
      },
      settings[0].options);
}

}  // namespace espalier
