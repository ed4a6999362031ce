#include "espalier/learn/svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"
#include "learn/quadratic_program.hpp"
#include "learn/training.hpp"

namespace espalier {

namespace {

void check_count(std::size_t examples, std::size_t given, const char* what) {
  if (given == examples) return;
  throw Error(
      fmt::format("there are {} {} for {} examples: give one for each", given, what, examples));
}

template <class Number>
double decision_value_of(const DecisionFunction& function, std::span<const Number> kernels) {
  double sum = 0;
  for (const SupportVector& s : function.support_vectors) {
    sum += s.coefficient * static_cast<double>(kernels[s.example]);
  }
  return sum + function.bias;
}

}  // namespace

void check_trainable(const GramView& view, const SolverOptions& options) {
  if (view.size() == 0) throw Error("there are no examples to learn from");
  check_parameters(options);
  view.check_finite();
}

void check_above_zero(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error(fmt::format("{} = {} is outside (0, inf)", name, print_number(value)));
}

void check_example_weights(std::size_t examples, std::span<const double> weights) {
  if (weights.empty()) return;
  check_count(examples, weights.size(), "weights");
  for (const double weight : weights) check_above_zero("the weight of an example", weight);
}

void check_regression(std::size_t examples, std::span<const double> targets,
                      const SvrOptions& options) {
  check_count(examples, targets.size(), "targets");
  check_example_weights(examples, options.example_weights);
  check_parameters(options);
  for (const double target : targets) {
    if (!std::isfinite(target)) throw Error("a target is infinite or NaN");
  }
}

QuadraticProgram svc_program(std::span<const std::int8_t> signs, std::span<const double> costs) {
  QuadraticProgram out;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    const bool positive = signs[i] > 0;
    out.linear.push_back(positive ? -1 : 1);
    out.lower.push_back(positive ? 0 : -costs[i]);
    out.upper.push_back(positive ? costs[i] : 0);
  }
  return out;
}

QuadraticProgram svr_program(std::span<const double> targets, const SvrOptions& options) {
  QuadraticProgram out;
  out.tube = options.epsilon;
  for (const double target : targets) out.linear.push_back(-target);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double weight = options.example_weights.empty() ? 1 : options.example_weights[i];
    out.lower.push_back(-weight * options.cost);
    out.upper.push_back(weight * options.cost);
  }
  return out;
}

QuadraticProgram one_class_program(std::size_t examples, const OneClassOptions& options) {
  QuadraticProgram out;
  out.linear.assign(examples, 0.0);
  out.lower.assign(examples, 0.0);
  out.upper.assign(examples, 1.0);
  double left = options.nu * static_cast<double>(examples);
  for (std::size_t i = 0; i < examples; ++i, left -= 1) {
    out.start.push_back(std::clamp(left, 0.0, 1.0));
  }
  return out;
}

DecisionFunction solve_svc(const GramView& view, std::span<const std::int8_t> signs,
                           std::span<const double> costs, const SolverOptions& options,
                           const Context& context) {
  return decision_function(view, solve(view, svc_program(signs, costs), options, context));
}

DecisionFunction train_svc(const GramView& view, std::span<const std::int8_t> signs,
                           std::span<const double> costs, const SolverOptions& options,
                           const Context& context) {
  check_count(view.size(), signs.size(), "signs");
  check_count(view.size(), costs.size(), "costs");
  if (std::ranges::find(signs, 0) != signs.end()) {
    throw Error("the sign of an example is 0: give 1 or -1");
  }
  for (const double cost : costs) check_above_zero("C", cost);
  check_trainable(view, options);
  return solve_svc(view, signs, costs, options, context);
}

DecisionFunction train_svr(const GramView& view, std::span<const double> targets,
                           const SvrOptions& options, const Context& context) {
  check_regression(view.size(), targets, options);
  check_trainable(view, options.solver);
  const QuadraticProgram program = svr_program(targets, options);
  return decision_function(view, solve(view, program, options.solver, context));
}

DecisionFunction train_one_class(const GramView& view, const OneClassOptions& options,
                                 const Context& context) {
  check_parameters(options);
  check_trainable(view, options.solver);
  const QuadraticProgram program = one_class_program(view.size(), options);
  return decision_function(view, solve(view, program, options.solver, context));
}

double decision_value(const DecisionFunction& function, std::span<const float> kernels) {
  return decision_value_of(function, kernels);
}

double decision_value(const DecisionFunction& function, std::span<const double> kernels) {
  return decision_value_of(function, kernels);
}

}  // namespace espalier
