#pragma once

#include <span>
#include <vector>

#include "espalier/model/landmark_scores.hpp"

namespace espalier {

/// A sum of outputs as relevance. Landmarks, rest and bias add up to it.
struct Relevance {
  std::vector<double> landmarks;
  double rest = 0;  ///< of what the example has in common with no landmark
  double bias = 0;
  /// Per landmark: what a unit of kernel with it adds to the sum, as long as the same units of the
  /// network are at work. Together with the kernels and the bias this is exact, too.
  std::vector<double> slopes;
};

/// Layer-wise relevance propagation by the epsilon rule (Bach et al. 2015): an input gets of each
/// output's relevance the share that it had in it. The epsilon is so small that nothing is lost.
/// `weights`: how much each output counts.
///
/// The last step, from the numbers of a Nystroem vector x to landmarks, is another one: landmarks
/// that are nearly alike get slopes that are huge and cancel out, which explains nothing. Instead x
/// is made of landmarks, x = sum of a_l x_l + rest with small a_l (ridge), and a landmark gets a_l
/// times what x_l would score with these slopes.
Relevance propagate_relevance(const LandmarkScores& scores, std::span<const double> kernels,
                              std::span<const double> weights);

}  // namespace espalier
