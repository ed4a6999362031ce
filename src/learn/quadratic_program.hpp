#pragma once

#include <cstdint>
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
  std::vector<double> start = {};  ///< empty: all 0
};

struct Solution {
  std::vector<double> values;  ///< b
  double multiplier = 0;       ///< of the constraint on the sum: -bias
  double objective = 0;
  std::uint64_t iterations = 0;
  bool converged = true;
};

/// SMO with second-order working set selection (Fan, Chen & Lin 2005) and shrinking. Reads rows
/// directly from the matrix; uses O(size) memory. Deterministic. Throws Cancelled.
Solution solve(const GramView& view, const QuadraticProgram& program, const SolverOptions& options,
               const Context& context);

}  // namespace espalier
