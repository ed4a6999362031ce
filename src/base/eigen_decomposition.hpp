#pragma once

#include <vector>

#include "espalier/base/matrix.hpp"

namespace espalier {

/// The eigenvalues of a symmetric matrix, and an orthonormal eigenvector for each.
struct EigenDecomposition {
  std::vector<double> values;  ///< descending
  Matrix<double> vectors;      ///< row k belongs to values[k]
};

/// Only the lower triangle of the square matrix is read. O(n^3): about half a second for n = 1000.
EigenDecomposition decompose_symmetric(const Matrix<double>& matrix);

}  // namespace espalier
