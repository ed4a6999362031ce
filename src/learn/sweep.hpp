#pragma once

#include <cstddef>
#include <limits>

namespace espalier {

// The inner loops of SMO, over all active variables. Plain pointers and eight independent lanes, so
// that compilers vectorise them without -ffast-math. The first of equal candidates wins, whatever
// the SIMD width.

/// The change of one variable, and the kernels of its example with those of all active variables.
struct RowStep {
  const float* row;
  double step;
};

struct Smallest {
  double value = std::numeric_limits<double>::infinity();
  std::size_t index = 0;
};

/// products[k] += a.step * a.row[k] + b.step * b.row[k]; then the smallest products[k] +
/// offsets[k].
Smallest add_rows(double* products, const RowStep& a, const RowStep& b, const double* offsets,
                  std::size_t size);

/// The smallest products[k] + offsets[k].
Smallest smallest_sum(const double* products, const double* offsets, std::size_t size);

/// The first variable of a pair, for the search of the second.
struct First {
  double gradient;
  double self;       ///< self-kernel
  const float* row;  ///< kernels with all active variables
};

struct Partner {
  double largest = -std::numeric_limits<double>::infinity();  ///< products[k] + offsets[k]
  double gain = 0;                                            ///< 0: there is no partner
  std::size_t index = 0;
};

/// The k of the largest d^2 / curvature where d = products[k] + offsets[k] - first.gradient > 0:
/// twice the gain of a step along this pair without bounds (Fan, Chen & Lin 2005).
Partner best_partner(const double* products, const double* offsets, const double* selves,
                     const First& first, std::size_t size);

/// The curvature along a pair; positive even for an indefinite kernel, so that steps descend.
inline double pair_curvature(double self_a, double self_b, double between) {
  constexpr double least = 1e-12;
  const double curvature = self_a + self_b - 2 * between;
  return curvature > least ? curvature : least;
}

}  // namespace espalier
