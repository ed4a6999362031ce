#pragma once

#include <span>
#include <vector>

#include "espalier/model/landmark_scores.hpp"

namespace espalier {

/// A weighted sum of outputs, distributed as relevance: landmarks, rest and bias add up to it.
struct Relevance {
  std::vector<double> landmarks;
  double rest = 0;  ///< of the part of the example that no landmark explains
  double bias = 0;
  /// Per landmark: the derivative of the sum by the kernel with it, as long as the same units of
  /// the network are active. Slopes times kernels plus the bias give the sum exactly, too.
  std::vector<double> slopes;
};

/// Layer-wise relevance propagation with the epsilon rule (Bach et al. 2015): the relevance of each
/// output is distributed over the inputs in proportion to their contribution. Epsilon is so small
/// that no relevance is lost. `weights` are those of the outputs.
///
/// The last step, from the elements of a Nystroem vector x to landmarks, is different: similar
/// landmarks would get huge slopes that cancel out, which explains nothing. Instead x is decomposed
/// into landmarks by ridge regression, x = sum of a_l x_l + rest, and a landmark gets a_l times the
/// score of x_l with these slopes.
Relevance propagate_relevance(const LandmarkScores& scores, std::span<const double> kernels,
                              std::span<const double> weights);

}  // namespace espalier
