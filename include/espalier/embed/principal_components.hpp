#pragma once

#include <cstddef>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

/// Where examples stand along the directions in which they differ most.
struct PrincipalComponents {
  Matrix<float> rows;          ///< a row for each example, a column for each component
  std::vector<double> shares;  ///< of the variance, per component
};

/// The principal components of vectors. Of Nystroem vectors this is kernel PCA (Schoelkopf, Smola &
/// Mueller 1998) of the kernel that they approximate: exact if all examples are landmarks. The sign
/// of a component is such that its largest coordinate is above 0. Throws Error for more components
/// than numbers in a vector. O(rows * columns^2 + columns^3).
PrincipalComponents principal_components(const Matrix<float>& vectors, std::size_t components,
                                         const Context& context = {});

}  // namespace espalier
