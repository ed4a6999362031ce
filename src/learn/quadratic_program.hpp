#pragma once

#include <cstdint>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/learn/gram_view.hpp"
#include "espalier/learn/svm.hpp"

namespace espalier {

/// Minimise 1/2 b'Kb + linear'b + tube * sum |b_i|, where lower <= b <= upper and the sum of b
/// stays what it is at the start. There is one variable for each example of the view.
///
/// All our machines are of this form, with b the coefficients of f(x) = sum b_i K(x_i, x) + bias.
/// The textbooks' 1/2 a'Qa with Q_ij = y_i y_j K_ij becomes it by b_i = y_i a_i, and the two
/// variables that regression has for each example by b_i = a_i - a*_i, as one of them is 0.
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

/// Sequential minimal optimisation with second order working sets (Fan, Chen & Lin 2005) and
/// shrinking. Rows are read straight from the matrix; the working space is O(size). The result
/// depends on nothing but the arguments. Throws Cancelled.
Solution solve(const GramView& view, const QuadraticProgram& program, const SolverOptions& options,
               const Context& context);

}  // namespace espalier
