#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace espalier::test {

/// The eigenvalues of a symmetric matrix in rising order, by Jacobi's rotations: for small ones.
/// The error is about 1e-12 of the largest.
inline std::vector<double> eigenvalues(const std::vector<std::vector<double>>& rows) {
  const std::size_t size = rows.size();
  std::vector<double> matrix;
  for (const auto& row : rows) matrix.insert(matrix.end(), row.begin(), row.end());
  double* const m = matrix.data();
  const auto rotate = [&](std::size_t p, std::size_t q) {
    const double theta = (m[q * size + q] - m[p * size + p]) / (2 * m[p * size + q]);
    const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1)), theta);
    const double c = 1 / std::hypot(t, 1), s = t * c;
    const auto mix = [&](double& x, double& y) {
      const double before = x;
      x = c * before - s * y;
      y = s * before + c * y;
    };
    for (std::size_t k = 0; k < size; ++k) mix(m[k * size + p], m[k * size + q]);
    for (std::size_t k = 0; k < size; ++k) mix(m[p * size + k], m[q * size + k]);
  };
  double largest = 0;
  for (const double value : matrix) largest = std::max(largest, std::abs(value));
  for (bool again = largest > 0; again;) {
    again = false;
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        if (std::abs(m[p * size + q]) < 1e-13 * largest) continue;
        rotate(p, q);
        again = true;
      }
    }
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < size; ++i) out.push_back(m[i * size + i]);
  std::ranges::sort(out);
  return out;
}

}  // namespace espalier::test
