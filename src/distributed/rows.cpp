#include "espalier/distributed/rows.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

/// Entries are near 1 if there is an exponent, and fit single precision otherwise: squares fit
/// double precision.
void normalise(std::span<float> row) {
  double square = 0;
  for (const float x : row) square += static_cast<double>(x) * static_cast<double>(x);
  if (square == 0) return;
  const double factor = 1 / std::sqrt(square);
  for (float& x : row) x = static_cast<float>(x * factor);
}

}  // namespace

std::vector<std::size_t> finish_rows(Matrix<float>& rows, std::span<const int> exponents,
                                     bool normalize) {
  std::vector<std::size_t> outside;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (normalize) {
      normalise(rows.row(i));
    } else if (exponents[i] != 0) {
      std::ranges::fill(rows.row(i), 0.0F);
      outside.push_back(i);
    }
  }
  return outside;
}

}  // namespace espalier
