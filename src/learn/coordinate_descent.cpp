#include "learn/coordinate_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/pages.hpp"
#include "espalier/base/id_index.hpp"
#include "espalier/base/random.hpp"
#include "learn/row_products.hpp"

namespace espalier {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The data of an example for one step, in one cache line: examples are visited in random order.
template <class Place>
struct alignas(64) Variable {
  double value;  ///< b
  double lower;
  double upper;
  double linear;
  double curvature;  ///< of the objective along b: K(x, x) plus the ridge
  double ridge;      ///< of features of its own, and 1 / 2C for the squared hinge
  Place row;
};

/// How the product functions refer to a row.
std::size_t place_of(const Matrix<float>&, std::size_t row) { return row; }
RowPlace place_of(const CompactRows& rows, std::size_t row) { return rows.place(row); }

template <class Rows>
using VariableOf = Variable<decltype(place_of(std::declval<const Rows&>(), 0))>;

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
  using Variable = VariableOf<Rows>;

  Descent(const Rows& rows, PageArray<Variable> variables, double tube, bool with_bias,
          double* weights)
      : rows_(rows),
        variables_(std::move(variables)),
        tube_(tube),
        constant_(with_bias ? 1 : 0),
        weights_(weights) {
    activate_all();
  }

  Solution run(const SolverOptions& options, std::uint64_t seed, const Context& context) {
    constexpr std::uint64_t default_iterations = 1000;
    const std::uint64_t cap =
        options.max_iterations > 0 ? options.max_iterations : default_iterations;
    Random random(seed);
    double worst = infinity;
    std::uint64_t visits = 0;
    bool converged = false;
    while (visits / variables_.size() < cap && !converged) {
      const bool all = active_.size() == variables_.size();
      visits += active_.size();
      worst = pass(random, options.shrinking ? worst : infinity, context);
      if (worst > options.tolerance) continue;
      converged = all;
      activate_all();
      worst = infinity;
    }
    return solution(visits / variables_.size(), converged);
  }

 private:
  /// The k-th active one.
  Variable& variable(std::size_t k) { return variables_.data()[active_[k]]; }

  void activate_all() {
    active_.resize(variables_.size());
    std::iota(active_.begin(), active_.end(), 0U);
  }

  /// Visits the active variables once in random order, and shrinks those at a bound (or at the kink
  /// of the tube) whose gradient holds them there by more than the largest violation of the last
  /// pass. Returns the largest violation.
  double pass(Random& random, double last_worst, const Context& context) {
    double worst = 0;
    bool shrunk = false;
    // Of everything: shuffled blocks of 64 neighbours would be faster to visit, but coordinate
    // descent needs several times as many passes then.
    random.shuffle(std::span(active_));
    for (std::size_t k = 0; k < active_.size(); ++k) {
      constexpr std::size_t period = 1024;
      if (k % period == 0 && context.cancelled && context.cancelled()) throw Cancelled();
      prefetch_after(k);
      const double violation = visit(variable(k), last_worst);
      if (violation < 0) {
        active_[k] = none;
        shrunk = true;
      }
      worst = std::max(worst, violation);
    }
    if (shrunk) std::erase(active_, none);
    return worst;
  }

  /// Prefetches what the visits after the k-th need, each thing when its address is known.
  void prefetch_after(std::size_t k) {
    if (k + 12 >= active_.size()) return;
    __builtin_prefetch(&variable(k + 12));
    prefetch(rows_, variable(k + 8).row);
    prefetch_weights(rows_, variable(k + 4).row, weights_);
  }

  /// Optimises one variable. Returns its violation, or -1 if it is to be shrunk.
  double visit(Variable& v, double last_worst) {
    const double gradient = product(rows_, v.row, weights_) + bias_ + v.ridge * v.value + v.linear;
    const Slopes slopes = slopes_of(v, gradient);
    if (slopes.up > last_worst && slopes.down < -last_worst) return -1;
    const double violation = slopes.violation();
    if (violation > 0) move(v, best_value(v, gradient, slopes));
    return violation;
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
    for (const Variable& v : std::span(variables_.data(), variables_.size())) {
      out.objective += v.value * (v.ridge * v.value / 2 + v.linear) + tube_ * std::abs(v.value);
      out.values.push_back(v.value);
    }
    out.multiplier = -bias_;
    out.iterations = iterations;
    out.converged = converged;
    return out;
  }

  const Rows& rows_;
  PageArray<Variable> variables_;
  const double tube_;
  const double constant_;  ///< the feature of the bias
  double* const weights_;
  double bias_ = 0;
  std::vector<std::uint32_t> active_;
};

double own_square(const Matrix<float>&, std::size_t) { return 0; }
double own_square(const CompactRows& rows, std::size_t i) { return rows.own_square(i); }

template <class Rows, class RowOf>
PageArray<VariableOf<Rows>> variables_of(const Rows& matrix,
                                         std::span<const std::uint32_t> positions, RowOf&& row_of,
                                         const QuadraticProgram& program,
                                         const LinearLearnerOptions& linear) {
  PageArray<VariableOf<Rows>> out(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    VariableOf<Rows>& v = out.data()[i];
    const std::uint32_t row = row_of(positions[i]);
    v.row = place_of(matrix, row);
    v.value = 0;
    v.lower = program.lower[i];
    v.upper = program.upper[i];
    v.linear = program.linear[i];
    v.ridge = own_square(matrix, row);
    if (linear.loss == LinearLoss::squared_hinge) {
      v.ridge += 0.5 / std::max(v.upper, -v.lower);
      if (v.lower < 0) v.lower = -infinity;
      if (v.upper > 0) v.upper = infinity;
    }
    v.curvature = self_product(matrix, v.row) + (linear.bias ? 1 : 0) + v.ridge;
  }
  return out;
}

}  // namespace

DescentRows::DescentRows(const FeatureRows& rows, const Context& context) : all_(rows) {
  rows.with_matrix([&]<class Rows>(const Rows& matrix) {
    if constexpr (std::is_same_v<Rows, SparseMatrix>) {
      compact_.emplace(matrix, rows.examples(), context);
    } else {
      dense_ = &matrix;
    }
  });
}

void DescentRows::expand(std::span<const double> kept, std::span<const std::uint32_t> positions,
                         std::span<const double> values, std::span<double> weights) const {
  if (compact_) {
    compact_->expand(kept, positions, values, weights);
  } else {
    std::ranges::copy(kept, weights.begin());
  }
}

Solution descend(const DescentRows& rows, std::span<const std::uint32_t> positions,
                 const QuadraticProgram& program, const SolverOptions& options,
                 const LinearLearnerOptions& linear, std::span<double> weights,
                 const Context& context) {
  return rows.with_matrix([&](const auto& matrix, auto&& row_of) {
    PageArray<double> kept(matrix.columns());
    std::fill_n(kept.data(), kept.size(), 0.0);
    Descent descent(matrix, variables_of(matrix, positions, row_of, program, linear), program.tube,
                    linear.bias, kept.data());
    Solution out = descent.run(options, linear.seed, context);
    rows.expand({kept.data(), kept.size()}, positions, out.values, weights);
    return out;
  });
}

}  // namespace espalier
