#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernel/base_sums.hpp"
#include "kernel/pair_leaf.hpp"
#include "kernel/partial_tree_rule.hpp"
#include "kernel/subset_tree_rule.hpp"

namespace espalier {

namespace {

template <class Value>
auto make_rule(std::span<const TreeKernelNode> settings, const SubsetTreeOptions&,
               std::span<const std::uint32_t> signatures) {
  return SubsetTreeRule<Value>(lanes<Value, SubsetTreeOptions>(settings, &SubsetTreeOptions::decay),
                               signatures);
}

template <class Value>
auto make_rule(std::span<const TreeKernelNode> settings, const PartialTreeOptions&,
               std::span<const std::uint32_t>) {
  return PartialTreeRule<Value>(partial_tree_parameters<Value, PartialTreeOptions>(settings));
}

template <class Value>
auto make_rule(std::span<const TreeKernelNode> settings, const SubpathOptions&,
               std::span<const std::uint32_t>) {
  PartialTreeParameters<Value> p;
  p.decay = lanes<Value, SubpathOptions>(settings, &SubpathOptions::decay);
  p.factor = p.inner_base = p.leaf_base = p.decay;
  p.step = Value(1);
  p.paths_only = true;
  return PartialTreeRule<Value>(p);
}

/// What workers of SST, PT and subpath kernels share.
template <class Options>
struct ExactPairs {
  TreeLeafInput input;
  std::vector<TreeKernelNode> settings;
  bool symmetric;
  KeyCounts row_counts;
  KeyCounts own_column_counts;
  std::vector<std::uint32_t> signatures;  ///< of SST: see SubsetTreeRule

  ExactPairs(const TreeLeafInput& in, std::span<const TreeKernelNode> kernels)
      : input(in), settings(kernels.begin(), kernels.end()), symmetric(&in.rows == &in.columns) {
    const Forest& forest = in.rows.forest();
    std::vector<std::uint32_t> keys(forest.vertex_count());
    for (VertexId v = 0; v < keys.size(); ++v) keys[v] = key(forest, v);
    const std::size_t count = std::is_same_v<Options, SubsetTreeOptions> ? forest.production_count()
                                                                         : forest.labels().size();
    row_counts = count_keys(in.rows, count, keys);
    if (!symmetric) {
      leave_out_all_but(row_counts, keys);
      own_column_counts = count_keys(in.columns, count, keys);
    }
    if constexpr (std::is_same_v<Options, SubsetTreeOptions>) signatures = production_pairs(forest);
  }

  const Options& options() const { return std::get<Options>(settings[0].options); }

  /// Nodes with equal keys have at least their base value.
  std::uint32_t key(const Forest& forest, VertexId v) const {
    if constexpr (std::is_same_v<Options, SubsetTreeOptions>) {
      return options().leaves || !forest.is_leaf(v) ? forest.production(v) : none;
    } else {
      return forest.label(v);
    }
  }

  template <class Value>
  auto computer(std::span<const TreeKernelNode> kernels) const {
    auto rule = make_rule<Value>(kernels, options(), signatures);
    const BaseValues<Value> base{rule.base(), rule.leaf_base(), same_bases<Options>(settings)};
    const KeyCounts& column_counts = symmetric ? row_counts : own_column_counts;
    return PairComputer(input, BaseSums<Value>(row_counts, column_counts, base), std::move(rule));
  }
};

/// The options without the numbers that may differ between lanes.
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
