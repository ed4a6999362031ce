#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/learn/gram_view.hpp"

namespace espalier {

// Support vector machines on a Gram matrix. The solver is our own: it reads the matrix in place
// (float, 4 bytes per value, no copy), sums in double, can be cancelled, and returns the same bits
// for the same input. The matrix should be positive semidefinite; if it is not, training still
// terminates, at a point that no single step improves.

/// Precision and limits of the solver. The matrix is float: a tolerance far below 1e-7 times the
/// sum of |coefficient * kernel| only fits its rounding errors.
struct SolverOptions {
  double tolerance = 1e-3;  ///< largest violation of the optimality conditions, in units of f(x)
  bool shrinking = true;    ///< skip variables that seem to stay at a bound: faster, same optimum
  std::uint64_t max_iterations = 0;  ///< 0: the larger of ten million and 100 per example

  static void describe(auto& self, auto&& field) {
    field("tolerance", self.tolerance,
          "stop when the optimality conditions are violated by at most this, in units of the "
          "decision values",
          {.range = Range::above(0)});
    field("shrinking", self.shrinking, "set variables aside that are at their bounds: faster");
    field("max_iterations", self.max_iterations,
          "limit for the solver; 0: ten million, or 100 per example", {.range = {0, 0x1p53}});
  }
};

// Rows of the parameter table that several learners share.
void describe_cost(auto& cost, auto&& field) {
  field("C", cost, "cost of errors against a wide margin; smaller values regularise more",
        {.range = Range::above(0), .common = true});
}
void describe_epsilon(auto& epsilon, auto&& field) {
  field("epsilon", epsilon, "regression: errors up to this cost nothing",
        {.range = Range::at_least(0)});
}
void describe_nu(auto& nu, auto&& field) {
  field("nu", nu, "one-class: upper bound on the fraction of outliers", {.range = {0, 1, true}});
}

/// A training example with a non-zero coefficient.
struct SupportVector {
  std::uint32_t example;  ///< its row in the Gram matrix
  double coefficient;     ///< never 0
  friend bool operator==(const SupportVector&, const SupportVector&) = default;
};

/// f(x) = sum of coefficient * K(example, x) + bias, over the support vectors.
struct DecisionFunction {
  std::vector<SupportVector> support_vectors;  ///< in the order of the examples trained on
  double bias = 0;
  double objective = 0;  ///< the minimum of the dual problem
  std::uint64_t iterations = 0;
  bool converged = true;  ///< false: stopped at max_iterations; f is usable but not optimal
};

/// C-SVC: separates two classes with the largest soft margin (Cortes & Vapnik 1995). signs[i] is
/// positive or negative for the two classes, and so is f(x); costs[i] is C for example i. If all
/// examples have the same sign, f is that sign.
DecisionFunction train_svc(const GramView& view, std::span<const std::int8_t> signs,
                           std::span<const double> costs, const SolverOptions& options = {},
                           const Context& context = {});

/// Epsilon-SVR (Vapnik 1995): f(x) estimates the target; errors up to `epsilon` cost nothing.
struct SvrOptions {
  double cost = 1;       ///< C: cost per unit of error beyond epsilon
  double epsilon = 0.1;  ///< in units of the targets
  SolverOptions solver = {};
  std::vector<double> example_weights = {};  ///< factors on C: positive, one each; empty: 1

  static void describe(auto& self, auto&& field) {
    describe_cost(self.cost, field);
    describe_epsilon(self.epsilon, field);
    SolverOptions::describe(self.solver, field);
  }
};
DecisionFunction train_svr(const GramView& view, std::span<const double> targets,
                           const SvrOptions& options = {}, const Context& context = {});

/// One-class SVM for novelty detection (Schoelkopf et al. 2001): estimates the region that contains
/// most examples; f(x) < 0 for outliers. Coefficients are in [0, 1] and add up to nu * examples.
struct OneClassOptions {
  double nu = 0.5;  ///< in (0, 1]: upper bound on the fraction of training examples outside, and
                    ///< lower bound on the fraction of support vectors
  SolverOptions solver = {};

  static void describe(auto& self, auto&& field) {
    describe_nu(self.nu, field);
    SolverOptions::describe(self.solver, field);
  }
};
DecisionFunction train_one_class(const GramView& view, const OneClassOptions& options = {},
                                 const Context& context = {});

/// f(x), where kernels[e] is K(e, x) for each row e of the training Gram matrix. Summed in double,
/// in the order of the support vectors.
double decision_value(const DecisionFunction& function, std::span<const float> kernels);
double decision_value(const DecisionFunction& function, std::span<const double> kernels);

}  // namespace espalier
