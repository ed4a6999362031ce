#pragma once

#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/fragments/fragment_features.hpp"

namespace espalier {

/// Computes decision values from fragments as explicit features: a linear model.
struct FragmentScores {
  FragmentFeatures features;
  /// Those of all decision functions for the first column, then for the second, and so on.
  std::vector<float> weights;

  std::size_t outputs() const { return weights.size() / features.columns(); }
  /// A row for each example, a column for each decision function. Costs the fragments that match,
  /// and the norms of the examples.
  Matrix<double> operator()(const Dataset& data, const Context& context = {}) const;
  /// The weights of a score that is a linear combination of the decision functions, by column.
  std::vector<double> score_weights(std::span<const double> functions) const;
};

}  // namespace espalier
