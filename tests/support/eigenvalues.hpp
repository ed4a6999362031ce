#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace espalier::test {

/// The eigenvalues of a symmetric matrix in rising order, by Jacobi's rotations: for small ones.
inline std::vector<double> eigenvalues(std::vector<std::vector<double>> matrix) {
  const std::size_t size = matrix.size();
  const auto rotate = [&](std::size_t p, std::size_t q) {
    const double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
    const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1)), theta);
    const double c = 1 / std::hypot(t, 1), s = t * c;
    for (std::size_t k = 0; k < size; ++k) {
      const double kp = matrix[k][p], kq = matrix[k][q];
      matrix[k][p] = c * kp - s * kq;
      matrix[k][q] = s * kp + c * kq;
    }
    for (std::size_t k = 0; k < size; ++k) {
      const double pk = matrix[p][k], qk = matrix[q][k];
      matrix[p][k] = c * pk - s * qk;
      matrix[q][k] = s * pk + c * qk;
    }
  };
  double largest = 0;
  for (const auto& row : matrix) {
    for (const double value : row) largest = std::max(largest, std::abs(value));
  }
  for (bool again = largest > 0; again;) {
    again = false;
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        if (std::abs(matrix[p][q]) < 1e-13 * largest) continue;
        rotate(p, q);
        again = true;
      }
    }
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < size; ++i) out.push_back(matrix[i][i]);
  std::ranges::sort(out);
  return out;
}

}  // namespace espalier::test
