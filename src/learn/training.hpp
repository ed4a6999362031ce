#pragma once

#include <cstdint>
#include <span>

#include "espalier/learn/svm.hpp"
#include "learn/quadratic_program.hpp"

namespace espalier {

// Shared by the SVM trainers.

/// Throws Error unless the value is finite and positive.
void check_above_zero(const char* name, double value);
/// Throws Error unless there are none, or one for each example, all positive.
void check_example_weights(std::size_t examples, std::span<const double> weights);

/// Throws Error unless there are examples with finite kernels, and the options are in range.
void check_trainable(const GramView& view, const SolverOptions& options);

/// Throws Error unless targets and options are valid for regression.
void check_regression(std::size_t examples, std::span<const double> targets,
                      const SvrOptions& options);

QuadraticProgram svc_program(std::span<const std::int8_t> signs, std::span<const double> costs);
QuadraticProgram svr_program(std::span<const double> targets, const SvrOptions& options);
QuadraticProgram one_class_program(std::size_t examples, const OneClassOptions& options);

/// The decision function of a solution; `examples` has size() and example(i).
template <class Examples>
DecisionFunction decision_function(const Examples& examples, const Solution& solution) {
  DecisionFunction out;
  out.bias = -solution.multiplier;
  out.objective = solution.objective;
  out.iterations = solution.iterations;
  out.converged = solution.converged;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (solution.values[i] != 0)
      out.support_vectors.push_back({examples.example(i), solution.values[i]});
  }
  return out;
}

/// train_svc() without checking its arguments.
DecisionFunction solve_svc(const GramView& view, std::span<const std::int8_t> signs,
                           std::span<const double> costs, const SolverOptions& options,
                           const Context& context);

}  // namespace espalier
