#include "engine/exact_leaf.hpp"
#include "engine/partial_tree/label_keys.hpp"
#include "engine/partial_tree/run_matcher.hpp"

namespace espalier {

namespace {

/// D of two vertices with the same label: decay * (1 + sum of D over the positions at which both
/// have a child with the same label).
template <class V>
class RouteMatching : public LabelKeys {
 public:
  using Value = V;
  static constexpr bool graded = false;
  static constexpr ChildMatching matching = ChildMatching::aligned;

  explicit RouteMatching(const Value& decay) : decay_(decay) {}

  const Value& base() const { return decay_; }
  const Value& leaf_base() const { return decay_; }

  static bool counts_children() { return false; }

  void differences(std::span<const Value* const> children, const MatchBatch& batch,
                   Value* out) const {
    for (std::size_t k = 0; k < batch.size; ++k) {
      Value sum(0);
      for (std::size_t x = 0; x < batch.matches.size(); ++x) {
        sum += children[batch.matches[x].a][batch.ranks[x * batch.size + k]];
      }
      out[batch.places[k]] = decay_ * sum;
    }
  }

 private:
  Value decay_;
};

struct Routes : LabelRule {
  using Options = RouteOptions;
  static constexpr bool may_weigh_leaves = false;

  template <class Value>
  static auto matcher(std::span<const TreeKernelNode> settings, const Shared&, std::size_t memory) {
    return RunMatcher(RouteMatching<Value>(lanes<Value, Options>(settings, &Options::decay)),
                      memory);
  }
};

}  // namespace

template <>
const TreeKernel& tree_kernel<RouteOptions>() {
  static const ExactKernel<Routes> kernel;
  return kernel;
}

}  // namespace espalier
