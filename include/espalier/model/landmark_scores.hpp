#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/learn/network.hpp"

namespace espalier {

/// An example that others are compared with, as it is shown to people.
struct Landmark {
  std::string text;
  std::vector<std::uint32_t> classes;
};

/// From the kernels of an example with landmarks to the scores of machines: the projection to its
/// Nystroem vector, then a network; of a linear model it has one layer.
struct LandmarkScores {
  std::vector<Landmark> landmarks;
  std::vector<double> projection;  ///< row by row, a column for each landmark
  Network
      network;  ///< on the vectors that the projection gives; without layers these are the scores

  /// A row of kernels, and of scores, for each example.
  Matrix<double> operator()(const Matrix<double>& kernels, const Context& context = {}) const;
};

}  // namespace espalier
