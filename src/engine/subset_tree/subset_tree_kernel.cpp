#include "engine/exact_kernel.hpp"
#include "engine/subset_tree/subset_tree_matcher.hpp"

namespace espalier {

template <>
const TreeKernel& tree_kernel<SubsetTreeOptions>() {
  static const TreeKernel kernel = exact_kernel<SubsetTreeMatcher>();
  return kernel;
}

}  // namespace espalier
