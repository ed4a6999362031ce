#pragma once

#include <cstdint>
#include <span>

#include "espalier/learn/feature_rows.hpp"
#include "espalier/learn/linear.hpp"
#include "learn/quadratic_program.hpp"

namespace espalier {

/// Solves the program for the kernel x y (with a bias: x y + 1) by dual coordinate descent, without
/// the constraint on the sum, which a regularised bias does not need. For the squared hinge loss, a
/// term b_i^2 / 4C replaces the bounds C of the program.
///
/// Sets `weights`, one for each column, to the sum of b_i x_i. Solution::multiplier is -bias.
/// Deterministic. Throws Cancelled.
Solution descend(const FeatureRows& rows, const QuadraticProgram& program,
                 const SolverOptions& options, const LinearLearnerOptions& linear,
                 std::span<double> weights, const Context& context);

}  // namespace espalier
