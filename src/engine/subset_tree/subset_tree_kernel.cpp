#include "engine/exact_leaf.hpp"
#include "engine/subset_tree/subset_tree_matcher.hpp"

namespace espalier {

namespace {

/// The branches of the forest: those of prepared columns, if there are any.
struct SharedBranches {
  std::optional<Branches> own;
  const Branches& branches;

  SharedBranches(const Forest& forest, const SharedBranches* columns)
      : branches(columns != nullptr ? columns->branches : own.emplace(forest)) {}
  SharedBranches(const SharedBranches&) = delete;
  SharedBranches& operator=(const SharedBranches&) = delete;
};

struct SubsetTreeRule {
  using Options = SubsetTreeOptions;
  using Shared = SharedBranches;
  static constexpr bool may_weigh_leaves = false;

  static std::size_t key_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t key(const Forest& forest, const Options& options, VertexId v) {
    return options.leaves || !forest.is_leaf(v) ? forest.production(v) : none;
  }
  template <class Value>
  static auto matcher(std::span<const TreeKernelNode> settings, const Shared& shared, std::size_t) {
    return SubsetTreeMatcher<Value>(lanes<Value, Options>(settings, &Options::decay),
                                    shared.branches);
  }
};

}  // namespace

template <>
const TreeKernel& tree_kernel<SubsetTreeOptions>() {
  static const ExactKernel<SubsetTreeRule> kernel;
  return kernel;
}

}  // namespace espalier
