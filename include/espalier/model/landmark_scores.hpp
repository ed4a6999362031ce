#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/learn/network.hpp"

namespace espalier {

/// A landmark as shown in explanations.
struct Landmark {
  std::string text;
  std::vector<std::uint32_t> classes;
};

/// Computes decision values from the kernels of an example with the landmarks: the projection to
/// its Nystroem vector, then a network, which has one layer for a linear model.
struct LandmarkScores {
  std::vector<Landmark> landmarks;
  std::vector<double> projection;  ///< row-major, a column for each landmark
  Network network;                 ///< on Nystroem vectors; without layers they are the scores
  std::vector<NetworkEpoch> curve =
      {};  ///< training curve of the network, empty for a linear model

  /// Kernels and scores have a row for each example.
  Matrix<double> operator()(const Matrix<double>& kernels, const Context& context = {}) const;
};

}  // namespace espalier
