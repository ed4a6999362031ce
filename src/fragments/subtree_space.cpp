#include <cmath>

#include "engine/subtree/subtree_features.hpp"
#include "fragments/fragment_space.hpp"

namespace espalier {

namespace {

/// Complete subtrees: a fragment for each vertex, and no extensions.
class SubtreeSpace final : public FragmentSpace {
 public:
  SubtreeSpace(const Forest& forest, const TreeKernelNode& kernel, const KernelState& state)
      : forest_(forest), weights_(subtree_weights(forest, kernel, state)) {}

  std::uint32_t root_key(VertexId v) const override { return v; }

  void start(std::span<const VertexId> roots, FragmentVisitor& search) const override {
    for (const VertexId root : roots) {
      const double value = std::sqrt(weights_[root]);
      if (value == 0) continue;
      FragmentSums sums(search.objective());
      sums.add(root, value, 0);
      search.offer(forest_.size(root), sums, {none, 0, root}, [&](FragmentState& state) {
        state.matches = {1, {root}, {value}};
      });
    }
  }

  void extend(const FragmentState&, FragmentVisitor&) const override {}

  Fragment fragment(std::span<const FragmentStep> steps) const override {
    Fragment out;
    out.tree = forest_.subtree(steps[0].vertex);
    out.frontier.assign(out.tree.size(), 0);
    out.size = forest_.size(steps[0].vertex);
    return out;
  }

 private:
  const Forest& forest_;
  std::vector<double> weights_;  ///< per vertex
};

}  // namespace

std::unique_ptr<FragmentSpace> subtree_space(const Forest& forest, const TreeKernelNode& kernel,
                                             const KernelState& state) {
  return std::make_unique<SubtreeSpace>(forest, kernel, state);
}

}  // namespace espalier
