#include "fragments/feature_terms.hpp"

#include <algorithm>

namespace espalier {

FeatureTerms feature_terms(const FunctionNode& root) {
  const FragmentTerms found = find_terms(root);
  if (!found.others.empty()) {
    throw Error("the kernel has a part without fragments, so they cannot be its features: " +
                found.others[0]);
  }
  if (found.terms.empty()) throw Error("the kernel has no fragments that could be features");
  FeatureTerms out;
  std::vector<const NormFunction*> norms;
  for (const FragmentTerm& term : found.terms) {
    const TreeFunction& function = *term.function;
    if (function.sides.row_member != function.sides.column_member) {
      throw Error("cross(..) compares " + term.name +
                  ", but features belong to one member: use pair(..)");
    }
    FeatureTerm& made = out.terms.emplace_back(FeatureTerm{KernelNode{function.kernel},
                                                           function.sides,
                                                           function.all_trees,
                                                           term.name,
                                                           term.factor,
                                                           {}});
    for (const NormFunction* norm : term.norms) {
      auto known = std::ranges::find(norms, norm);
      if (known == norms.end()) {
        out.norms.push_back({norm->kernel, norm->sides});
        known = norms.insert(norms.end(), norm);
      }
      made.norms.push_back(static_cast<std::uint32_t>(known - norms.begin()));
    }
  }
  return out;
}

}  // namespace espalier
