#pragma once

#include <string>
#include <vector>

#include "fragments/terms.hpp"

namespace espalier {

/// norm(K) in a kernel.
struct FeatureNorm {
  KernelNode kernel;  ///< K
  Sides sides;
};

/// A tree kernel in a kernel, without the examples of a model.
struct FeatureTerm {
  KernelNode kernel;
  Sides sides;
  bool all_trees = false;  ///< all trees of an example together
  std::string name;
  double factor = 1;
  std::vector<std::uint32_t> norms;  ///< around it: indices into FeatureTerms::norms

  const TreeKernelNode& leaf() const { return std::get<TreeKernelNode>(kernel.what); }
  Side side(const Dataset& data) const { return {&data, sides.row_member, sides.tree}; }
};

struct FeatureTerms {
  std::vector<FeatureTerm> terms;
  std::vector<FeatureNorm> norms;  ///< one comes before those within it
};

/// Throws Error if the kernel is not a sum over fragments of single examples.
FeatureTerms feature_terms(const FunctionNode& root);

}  // namespace espalier
