#include "engine/exact_leaf.hpp"
#include "engine/partial_tree/partial_tree_rule.hpp"
#include "engine/partial_tree/run_matcher.hpp"

namespace espalier {

namespace {

struct PartialTrees : LabelRule {
  using Options = PartialTreeOptions;
  static constexpr bool may_weigh_leaves = true;

  template <class Value>
  static auto matcher(std::span<const TreeKernelNode> settings, const Shared&, std::size_t memory) {
    return RunMatcher(
        PartialTreeRule<Value>(partial_tree_parameters<Value, Options>(settings), memory), memory);
  }
};

}  // namespace

template <>
const TreeKernel& tree_kernel<PartialTreeOptions>() {
  static const ExactKernel<PartialTrees> kernel;
  return kernel;
}

}  // namespace espalier
