#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/learn/gram_view.hpp"

namespace espalier {

// Support vector machines on a Gram matrix. The solver is our own: it reads the matrix where it is
// (float, 4 bytes a value, nothing copied), sums in double, can be cancelled, and gives the same
// bits for the same input. The matrix should be positive semidefinite; if it is not, training still
// ends, at a point that no single step improves.

/// How exactly, and how long at the most. The matrix is float: a tolerance far below 1e-7 times the
/// sum of |coefficient * kernel| follows its rounding errors.
struct SolverOptions {
  double tolerance = 1e-3;  ///< largest violation of the optimality conditions, in units of f(x)
  bool shrinking = true;    ///< put variables aside that seem settled: faster, the same optimum
  std::uint64_t max_iterations = 0;  ///< 0: ten million or 100 for each example
};

/// One example in the sum of a machine.
struct SupportVector {
  std::uint32_t example;  ///< its row in the Gram matrix
  double coefficient;     ///< never 0
  friend bool operator==(const SupportVector&, const SupportVector&) = default;
};

/// f(x) = sum of coefficient * K(example, x) + bias. Examples that are not in the sum have no say.
struct DecisionFunction {
  std::vector<SupportVector> support_vectors;  ///< in the order of the examples trained on
  double bias = 0;
  double objective = 0;  ///< what was minimised: the dual
  std::uint64_t iterations = 0;
  bool converged = true;  ///< false: max_iterations came first; f is usable but not the optimum
};

/// Separates two sides with the widest soft margin (C-SVC; Cortes & Vapnik 1995). signs[i] is above
/// 0 or below for the two sides; f(x) > 0 means the first. costs[i] is what C is for example i. If
/// there is one side only, f is its sign.
DecisionFunction train_svc(const GramView& view, std::span<const std::int8_t> signs,
                           std::span<const double> costs, const SolverOptions& options = {},
                           const Context& context = {});

/// Fits numbers; errors up to `epsilon` cost nothing (epsilon-SVR; Vapnik 1995). f(x) estimates the
/// target.
struct SvrOptions {
  double cost = 1;       ///< C: what one unit of error beyond epsilon costs
  double epsilon = 0.1;  ///< in units of the targets
  SolverOptions solver = {};
};
DecisionFunction train_svr(const GramView& view, std::span<const double> targets,
                           const SvrOptions& options = {}, const Context& context = {});

/// Finds the region where most examples are (one-class SVM; Schoelkopf et al. 2001): f(x) < 0 says
/// that x is unlike them. Coefficients are in [0, 1] and sum up to nu * examples.
struct OneClassOptions {
  double nu = 0.5;  ///< above 0, at most 1: at most this share of the examples is outside, and at
                    ///< least this share is in the sum
  SolverOptions solver = {};
};
DecisionFunction train_one_class(const GramView& view, const OneClassOptions& options = {},
                                 const Context& context = {});

/// f(x), where kernels[e] is K(e, x) for each row e of the Gram matrix trained on. Summed in double
/// in the order of the support.
double decision_value(const DecisionFunction& function, std::span<const float> kernels);
double decision_value(const DecisionFunction& function, std::span<const double> kernels);

}  // namespace espalier
