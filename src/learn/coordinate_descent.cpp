#include "learn/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "espalier/base/random.hpp"
#include "learn/row_products.hpp"

namespace espalier {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The data of an example for one step, in one place: examples are visited in random order.
struct Variable {
  double value = 0;  ///< b
  double lower;
  double upper;
  double linear;
  double curvature;   ///< of the objective along b: K(x, x) plus the ridge
  double ridge;       ///< 1 / 2C for the squared hinge, otherwise 0
  std::uint32_t row;  ///< in the matrix
};

/// The derivatives of the objective for increasing and decreasing b; infinite at a bound.
struct Slopes {
  double up;
  double down;
  double violation() const { return std::max({-up, down, 0.0}); }
};

/// The state of one solve.
template <class Rows>
class Descent {
 public:
  Descent(const Rows& rows, std::vector<Variable> variables, double tube, bool with_bias,
          double* weights)
      : rows_(rows),
        variables_(std::move(variables)),
        tube_(tube),
        constant_(with_bias ? 1 : 0),
        weights_(weights),
        active_(variables_.size()) {
    std::iota(active_.begin(), active_.end(), 0U);
  }

  Solution run(const SolverOptions& options, std::uint64_t seed, const Context& context) {
    constexpr std::uint64_t default_iterations = 1000;
    const std::uint64_t cap =
        options.max_iterations > 0 ? options.max_iterations : default_iterations;
    Random random(seed);
    std::size_t active = active_.size();  // shrunk variables are at the end
    double worst = infinity;
    std::uint64_t visits = 0;
    bool converged = false;
    while (visits / active_.size() < cap && !converged) {
      const bool all = active == active_.size();
      visits += active;
      random.shuffle(std::span(active_).first(active));
      worst = pass(active, options.shrinking ? worst : infinity, context);
      if (worst > options.tolerance) continue;
      converged = all;
      active = active_.size();
      worst = infinity;
    }
    return solution(visits / active_.size(), converged);
  }

 private:
  /// Visits the active variables once, and shrinks those at a bound (or at the kink of the tube)
  /// whose gradient holds them there by more than the largest violation of the last pass. Returns
  /// the largest violation.
  double pass(std::size_t& active, double last_worst, const Context& context) {
    constexpr std::size_t period = 1024;
    double worst = 0;
    for (std::size_t k = 0; k < active;) {
      if (k % period == 0 && context.cancelled && context.cancelled()) throw Cancelled();
      Variable& v = variables_[active_[k]];
      if (k + 2 < active) {
        __builtin_prefetch(&variables_[active_[k + 2]]);
        prefetch(rows_, variables_[active_[k + 1]].row);
      }
      const double gradient =
          product(rows_, v.row, weights_) + bias_ + v.ridge * v.value + v.linear;
      const Slopes slopes = slopes_of(v, gradient);
      if (slopes.up > last_worst && slopes.down < -last_worst) {
        std::swap(active_[k], active_[--active]);
        continue;
      }
      const double violation = slopes.violation();
      worst = std::max(worst, violation);
      if (violation > 0) move(v, best_value(v, gradient, slopes));
      ++k;
    }
    return worst;
  }

  Slopes slopes_of(const Variable& v, double gradient) const {
    return {v.value < v.upper ? gradient + (v.value >= 0 ? tube_ : -tube_) : infinity,
            v.value > v.lower ? gradient + (v.value > 0 ? tube_ : -tube_) : -infinity};
  }

  /// The optimal b with all others fixed.
  double best_value(const Variable& v, double gradient, const Slopes& slopes) const {
    // An example without features: the objective is linear in b, so the optimum is at a bound.
    if (v.curvature <= 0) return slopes.up < 0 ? v.upper : v.lower;
    const double free = v.value - gradient / v.curvature;  // without the tube
    const double tube = tube_ / v.curvature;
    const double best = free > tube ? free - tube : free < -tube ? free + tube : 0;
    return std::clamp(best, v.lower, v.upper);
  }

  void move(Variable& v, double value) {
    const double step = value - v.value;
    v.value = value;
    if (step == 0) return;
    add_row(rows_, v.row, step, weights_);
    bias_ += step * constant_;
  }

  Solution solution(std::uint64_t iterations, bool converged) const {
    Solution out;
    out.objective = bias_ * bias_ / 2;
    for (std::size_t k = 0; k < rows_.columns(); ++k) {
      out.objective += weights_[k] * weights_[k] / 2;
    }
    for (const Variable& v : variables_) {
      out.objective += v.value * (v.ridge * v.value / 2 + v.linear) + tube_ * std::abs(v.value);
      out.values.push_back(v.value);
    }
    out.multiplier = -bias_;
    out.iterations = iterations;
    out.converged = converged;
    return out;
  }

  const Rows& rows_;
  std::vector<Variable> variables_;
  const double tube_;
  const double constant_;  ///< the feature of the bias
  double* const weights_;
  double bias_ = 0;
  std::vector<std::uint32_t> active_;
};

template <class Rows>
std::vector<Variable> variables_of(const Rows& matrix, const FeatureRows& rows,
                                   const QuadraticProgram& program,
                                   const LinearLearnerOptions& linear) {
  std::vector<Variable> out(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Variable& v = out[i];
    v.row = rows.example(i);
    v.lower = program.lower[i];
    v.upper = program.upper[i];
    v.linear = program.linear[i];
    v.ridge = 0;
    if (linear.loss == LinearLoss::squared_hinge) {
      v.ridge = 0.5 / std::max(v.upper, -v.lower);
      if (v.lower < 0) v.lower = -infinity;
      if (v.upper > 0) v.upper = infinity;
    }
    v.curvature = self_product(matrix, v.row) + (linear.bias ? 1 : 0) + v.ridge;
  }
  return out;
}

}  // namespace

Solution descend(const FeatureRows& rows, const QuadraticProgram& program,
                 const SolverOptions& options, const LinearLearnerOptions& linear,
                 std::span<double> weights, const Context& context) {
  std::ranges::fill(weights, 0.0);
  return rows.with_matrix([&](const auto& matrix) {
    Descent descent(matrix, variables_of(matrix, rows, program, linear), program.tube, linear.bias,
                    weights.data());
    return descent.run(options, linear.seed, context);
  });
}

}  // namespace espalier
