#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/learn/gram_view.hpp"
#include "espalier/learn/svm.hpp"

namespace espalier {

/// Minimise 1/2 b'Kb + linear'b + tube * sum |b_i|, where lower <= b <= upper and the sum of b is
/// that of `start`. There is one variable for each example of the view.
///
/// C-SVC, epsilon-SVR and one-class SVM have this form, with b the coefficients of
/// f(x) = sum b_i K(x_i, x) + bias. The textbook form 1/2 a'Qa with Q_ij = y_i y_j K_ij follows
/// from b_i = y_i a_i, and the two variables per example of regression from b_i = a_i - a*_i, since
/// one of them is 0.
struct QuadraticProgram {
  std::vector<double> linear;
  std::vector<double> lower;  ///< at most 0
  std::vector<double> upper;  ///< at least 0
  double tube = 0;
  std::vector<double> start = {};     ///< empty: all 0
  std::vector<double> products = {};  ///< K start, with what fixed variables add; empty: unknown

  /// Added to (K b)_i, these give the gradients for increasing and for decreasing b_i from `value`;
  /// infinite at bounds.
  double up(std::size_t i, double value) const {
    if (!(value < upper[i])) return std::numeric_limits<double>::infinity();
    return linear[i] + (value >= 0 ? tube : -tube);
  }
  double down(std::size_t i, double value) const {
    if (!(value > lower[i])) return -std::numeric_limits<double>::infinity();
    return linear[i] + (value > 0 ? tube : -tube);
  }
};

struct Solution {
  std::vector<double> values;  ///< b
  double multiplier = 0;       ///< of the constraint on the sum: -bias
  double objective = 0;
  std::uint64_t iterations = 0;
  bool converged = true;
};

/// The objective at b and the multiplier that fits it best, given products = K b.
Solution solution_at(const QuadraticProgram& program, std::vector<double> values,
                     std::span<const double> products);

/// SMO with second-order working set selection (Fan, Chen & Lin 2005) and shrinking. Reads rows
/// directly from the matrix; uses O(size) memory. Deterministic. Throws Cancelled.
Solution solve(const GramView& view, const QuadraticProgram& program, const SolverOptions& options,
               const Context& context);

}  // namespace espalier
