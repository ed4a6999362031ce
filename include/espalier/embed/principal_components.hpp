#pragma once

#include <cstddef>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

/// Coordinates of examples along the directions of largest variance.
struct PrincipalComponents {
  Matrix<float> rows;  ///< a row for each example, a column for each component
  std::vector<double> explained_variance_ratio;  ///< per component
};

/// Principal component analysis. On Nystroem vectors it is kernel PCA (Schoelkopf, Smola & Mueller
/// 1998) of the kernel they approximate: exact if all examples are landmarks. The sign of a
/// component makes its largest coordinate positive. Throws Error for more components than columns.
/// O(rows * columns^2 + columns^3).
PrincipalComponents principal_components(const Matrix<float>& vectors, std::size_t components,
                                         const Context& context = {});

}  // namespace espalier
