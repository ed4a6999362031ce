#include "engine/exact_kernel.hpp"
#include "engine/partial_tree/partial_tree_rule.hpp"
#include "engine/partial_tree/run_matcher.hpp"

namespace espalier {

template <class Value>
using PartialTreeMatcher = RunMatcher<PartialTreeRule<Value>>;

template <>
const TreeKernel& tree_kernel<PartialTreeOptions>() {
  static const TreeKernel kernel = exact_kernel<PartialTreeMatcher>();
  return kernel;
}

}  // namespace espalier
