#include "engine/exact_leaf.hpp"
#include "engine/partial_tree/label_keys.hpp"
#include "engine/partial_tree/run_matcher.hpp"

namespace espalier {

namespace {

/// D of two vertices with the same label: decay * (1 + sum of D over all pairs of children with the
/// same label).
template <class V>
class SubpathMatching : public LabelKeys {
 public:
  using Value = V;
  static constexpr bool graded = false;
  /// What the children with one label add is a sum over the rows of these children.
  static constexpr ChildMatching matching = ChildMatching::by_key;

  explicit SubpathMatching(const Value& decay) : decay_(decay) {}

  const Value& base() const { return decay_; }
  const Value& leaf_base() const { return decay_; }
  static bool counts_children() { return false; }

  void differences(std::span<const Value* const> children, const MatchBatch& batch,
                   Value* out) const {
    const std::size_t count = batch.matches.size();
    for (std::size_t k = 0; k < batch.size; ++k) {
      Value sum(0);
      // In parts: 10^5 equal addends one by one would lose four digits.
      for (std::size_t x = 0; x < count;) {
        const std::size_t end = std::min(count, x + 256);
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

struct Subpaths : LabelRule {
  using Options = SubpathOptions;
  static constexpr bool may_weigh_leaves = false;

  template <class Value>
  static auto matcher(std::span<const TreeKernelNode> settings, const Shared&, std::size_t memory) {
    return RunMatcher(SubpathMatching<Value>(lanes<Value, Options>(settings, &Options::decay)),
                      memory);
  }
};

}  // namespace

template <>
const TreeKernel& tree_kernel<SubpathOptions>() {
  static const ExactKernel<Subpaths> kernel;
  return kernel;
}

}  // namespace espalier
