// The subpath and the route kernel.

#include "engine/exact_kernel.hpp"
#include "engine/partial_tree/run_matcher.hpp"

namespace espalier {

/// D of two vertices with the same label: decay * (1 + sum of D over their matching children).
/// For subpaths children match if they have the same label, for routes if they have the same
/// position too.
template <class V, class PathOptions, ChildMatching how>
class PathRule {
 public:
  using Value = V;
  using Options = PathOptions;
  static constexpr bool may_weigh_leaves = false;
  static constexpr ChildMatching matching = how;

  PathRule(std::span<const TreeKernelNode> settings, std::size_t /*memory*/)
      : decay_(lanes<Value, Options>(settings, &Options::decay)) {}

  const Value& base() const { return decay_; }
  const Value& leaf_base() const { return decay_; }
  static bool counts_children() { return false; }

  void differences(std::span<const Value* const> children, const MatchBatch& batch,
                   Value* out) const {
    const std::size_t count = batch.matches.size();
    // Subpaths in parts: 10^5 equal addends one by one would lose four digits.
    const std::size_t part_size = matching == ChildMatching::by_key ? 256 : count;
    for (std::size_t k = 0; k < batch.size; ++k) {
      Value sum(0);
      for (std::size_t x = 0; x < count;) {
        const std::size_t end = std::min(count, x + part_size);
        Value part(0);
        for (; x < end; ++x) part += children[batch.matches[x].a][batch.ranks[x * batch.size + k]];
        sum += part;
      }
      out[batch.places[k]] = decay_ * sum;
    }
  }

 private:
  Value decay_;
};

/// What the children with one label add is a sum over the rows of these children.
template <class Value>
using SubpathMatcher = RunMatcher<PathRule<Value, SubpathOptions, ChildMatching::by_key>>;
template <class Value>
using RouteMatcher = RunMatcher<PathRule<Value, RouteOptions, ChildMatching::aligned>>;

template <>
const TreeKernel& tree_kernel<SubpathOptions>() {
  static const TreeKernel kernel = exact_kernel<SubpathMatcher>();
  return kernel;
}

template <>
const TreeKernel& tree_kernel<RouteOptions>() {
  static const TreeKernel kernel = exact_kernel<RouteMatcher>();
  return kernel;
}

}  // namespace espalier
