// Checks the solver by optimality conditions and by enumeration of all active sets.
#include "learn/quadratic_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "learn/problems.hpp"

namespace espalier {
namespace {

using test::Numbers;
constexpr double infinity = std::numeric_limits<double>::infinity();

double objective(const Matrix<float>& gram, const QuadraticProgram& program,
                 const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      sum += b[i] * b[j] * static_cast<double>(gram(i, j)) / 2;
    }
    sum += program.linear[i] * b[i] + program.tube * std::abs(b[i]);
  }
  return sum;
}

/// Violation of the optimality conditions, from the values alone: the best increase and decrease.
double violation(const Matrix<float>& gram, const QuadraticProgram& program,
                 const std::vector<double>& b) {
  double rise = infinity, fall = -infinity;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double gradient = program.linear[i];
    for (std::size_t j = 0; j < b.size(); ++j) gradient += static_cast<double>(gram(i, j)) * b[j];
    if (b[i] < program.upper[i]) {
      rise = std::min(rise, gradient + (b[i] >= 0 ? program.tube : -program.tube));
    }
    if (b[i] > program.lower[i]) {
      fall = std::max(fall, gradient + (b[i] > 0 ? program.tube : -program.tube));
    }
  }
  return fall - rise;
}

testing::AssertionResult feasible(const QuadraticProgram& program, const std::vector<double>& b) {
  double sum = std::accumulate(program.start.begin(), program.start.end(), 0.0), scale = 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!(program.lower[i] <= b[i] && b[i] <= program.upper[i])) {
      return testing::AssertionFailure() << "value " << i << " is " << b[i];
    }
    sum -= b[i];
    scale += std::abs(b[i]);
  }
  if (std::abs(sum) < 1e-11 * scale) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the sum is off by " << sum;
}

/// Solves a small system by elimination with pivots; nothing if it is singular.
std::optional<std::vector<double>> solved(std::vector<std::vector<double>> rows) {
  const std::size_t n = rows.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r) {
      if (std::abs(rows[r][c]) > std::abs(rows[pivot][c])) pivot = r;
    }
    if (std::abs(rows[pivot][c]) < 1e-9) return {};
    std::swap(rows[c], rows[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= n; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<double> out;
  for (std::size_t r = 0; r < n; ++r) out.push_back(rows[r][n] / rows[r][r]);
  return out;
}

/// Where one variable is: at one of its bounds or at 0, or free on one side of 0.
enum Place { at_lower, at_zero, at_upper, above_zero, below_zero, places };

/// The optimum if the variables are at these places, or nothing.
std::optional<std::vector<double>> stationary(const Matrix<float>& gram,
                                              const QuadraticProgram& program, double sum,
                                              const std::vector<int>& place) {
  const std::size_t n = place.size();
  std::vector<double> b(n, 0.0);
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < n; ++i) {
    if (place[i] == at_lower) b[i] = program.lower[i];
    if (place[i] == at_upper) b[i] = program.upper[i];
    if (place[i] >= above_zero) free.push_back(i);
    sum -= b[i];
  }
  if (free.empty()) return std::abs(sum) < 1e-9 ? std::optional(b) : std::nullopt;
  std::vector<std::vector<double>> system;
  for (const std::size_t i : free) {
    std::vector<double> row;
    for (const std::size_t j : free) row.push_back(static_cast<double>(gram(i, j)));
    double right = -program.linear[i] + (place[i] == above_zero ? -program.tube : program.tube);
    for (std::size_t j = 0; j < n; ++j) right -= static_cast<double>(gram(i, j)) * b[j];
    row.push_back(1);  // the multiplier
    row.push_back(right);
    system.push_back(row);
  }
  system.emplace_back(free.size(), 1.0);
  system.back().push_back(0);
  system.back().push_back(sum);
  const auto solution = solved(system);
  if (!solution) return {};
  for (std::size_t k = 0; k < free.size(); ++k) b[free[k]] = (*solution)[k];
  return b;
}

/// The least objective over all active sets. Some optimum has a regular system for its free
/// variables: along a flat direction one can move until a bound.
double enumerated_optimum(const Matrix<float>& gram, const QuadraticProgram& program) {
  const std::size_t n = program.linear.size();
  const double sum = std::accumulate(program.start.begin(), program.start.end(), 0.0);
  double best = infinity;
  std::vector<int> place(n, 0);
  for (std::size_t at = 0; at < n;) {
    const auto b = stationary(gram, program, sum, place);
    bool inside = b.has_value();
    for (std::size_t i = 0; inside && i < n; ++i) {
      inside = (*b)[i] >= program.lower[i] - 1e-9 && (*b)[i] <= program.upper[i] + 1e-9;
    }
    if (inside) best = std::min(best, objective(gram, program, *b));
    for (at = 0; at < n && ++place[at] == places; ++at) place[at] = 0;
  }
  return best;
}

QuadraticProgram classification(Numbers& numbers, std::size_t size, double cost) {
  QuadraticProgram out;
  for (std::size_t i = 0; i < size; ++i) {
    const bool positive = i == 0 || (i > 1 && numbers.sign() > 0);
    const double own_cost = cost * numbers.between(0.5, 2);
    out.linear.push_back(positive ? -1 : 1);
    out.lower.push_back(positive ? 0 : -own_cost);
    out.upper.push_back(positive ? own_cost : 0);
  }
  return out;
}

QuadraticProgram regression(Numbers& numbers, std::size_t size, double cost) {
  QuadraticProgram out;
  out.tube = 0.1;
  for (std::size_t i = 0; i < size; ++i) out.linear.push_back(numbers.between(-2, 2));
  out.lower.assign(size, -cost);
  out.upper.assign(size, cost);
  return out;
}

QuadraticProgram one_class(std::size_t size, double share) {
  QuadraticProgram out;
  out.linear.assign(size, 0.0);
  out.lower.assign(size, 0.0);
  out.upper.assign(size, 1.0);
  out.start.assign(size, share);
  return out;
}

/// One of each kind of program, in turn.
QuadraticProgram any_program(Numbers& numbers, std::size_t size, std::uint64_t turn) {
  const double cost = std::pow(10, numbers.between(-1, 2));
  if (turn % 3 == 0) return classification(numbers, size, cost);
  if (turn % 3 == 1) return regression(numbers, size, cost);
  return one_class(size, numbers.between(0.1, 0.9));
}

Matrix<float> any_gram(Numbers& numbers, std::size_t size, std::uint64_t turn) {
  auto points = test::random_points(numbers, size, 3);
  // Some examples are duplicated, with arbitrary labels.
  if (turn % 2 == 1) points[size - 1] = points[0], points[size - 2] = points[1];
  return turn % 4 < 2 ? test::linear_gram(points) : test::rbf_gram(points, 2);
}

TEST(QuadraticProgram, MatchesEnumerationOfActiveSets) {
  for (std::uint64_t turn = 0; turn < 24; ++turn) {
    SCOPED_TRACE(turn);
    Numbers numbers(turn);
    const std::size_t size = 2 + turn % 4;
    const auto gram = any_gram(numbers, size, turn);
    const auto program = any_program(numbers, size, turn);
    const auto solution = solve(GramView(gram), program, {.tolerance = 1e-7}, {});
    const double expected = enumerated_optimum(gram, program);
    EXPECT_TRUE(feasible(program, solution.values));
    EXPECT_NEAR(objective(gram, program, solution.values), expected,
                1e-5 * (1 + std::abs(expected)));
    EXPECT_TRUE(solution.converged);
  }
}

TEST(QuadraticProgram, SatisfiesOptimalityConditions) {
  for (std::uint64_t turn = 0; turn < 24; ++turn) {
    SCOPED_TRACE(turn);
    Numbers numbers(100 + turn);
    const std::size_t size = 20 + 7 * turn;
    const auto gram = any_gram(numbers, size, turn);
    const auto program = any_program(numbers, size, turn);
    for (const double tolerance : {1e-1, 1e-3, 1e-6}) {
      const auto solution = solve(GramView(gram), program, {.tolerance = tolerance}, {});
      EXPECT_TRUE(feasible(program, solution.values));
      EXPECT_LE(violation(gram, program, solution.values), tolerance + 1e-9);
      const double expected = objective(gram, program, solution.values);
      EXPECT_NEAR(solution.objective, expected, 1e-9 * (1 + std::abs(expected)));
      EXPECT_TRUE(solution.converged);
    }
  }
}

TEST(QuadraticProgram, ShrinkingFindsTheSameOptimum) {
  for (std::uint64_t turn = 0; turn < 6; ++turn) {
    SCOPED_TRACE(turn);
    Numbers numbers(200 + turn);
    constexpr std::size_t size = 300;
    const auto gram = test::rbf_gram(test::random_points(numbers, size, 4), 1);
    const auto program =
        turn % 2 == 0 ? classification(numbers, size, 20) : regression(numbers, size, 2);
    const auto with = solve(GramView(gram), program, {.tolerance = 1e-6}, {});
    const auto without =
        solve(GramView(gram), program, {.tolerance = 1e-6, .shrinking = false}, {});
    ASSERT_GT(with.iterations, 2 * size) << "too easy: shrinking had no turn";
    EXPECT_NEAR(with.objective, without.objective, 1e-6 * std::abs(without.objective));
    EXPECT_NEAR(with.multiplier, without.multiplier, 1e-4);
    EXPECT_LE(violation(gram, program, with.values), 1e-6 + 1e-9);
  }
}

TEST(QuadraticProgram, TerminatesOnAnIndefiniteKernel) {
  Numbers numbers(3);
  constexpr std::size_t size = 60;
  auto gram = test::gram_of(size, [&](auto, auto) { return numbers.between(-1, 1); });
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) gram(i, j) = gram(j, i);
  }
  for (std::uint64_t turn = 0; turn < 6; ++turn) {
    const auto program = any_program(numbers, size, turn);
    const auto solution = solve(GramView(gram), program, {.max_iterations = 1'000'000}, {});
    EXPECT_TRUE(solution.converged);
    EXPECT_TRUE(feasible(program, solution.values));
    EXPECT_LE(violation(gram, program, solution.values), 1e-3 + 1e-9);
  }
}

TEST(QuadraticProgram, ReportsTheIterationLimit) {
  Numbers numbers(4);
  const auto gram = test::rbf_gram(test::random_points(numbers, 80, 3), 1);
  const auto program = classification(numbers, 80, 10);
  const auto solution = solve(GramView(gram), program, {.max_iterations = 50}, {});
  EXPECT_FALSE(solution.converged);
  EXPECT_EQ(solution.iterations, 50);
  EXPECT_TRUE(feasible(program, solution.values));
}

TEST(QuadraticProgram, StopsWhenCancelled) {
  Numbers numbers(5);
  const auto gram = test::rbf_gram(test::random_points(numbers, 200, 3), 1);
  const auto program = classification(numbers, 200, 1000);
  int asked = 0;
  const Context context = {.cancelled = [&] { return ++asked == 3; }};
  EXPECT_THROW(solve(GramView(gram), program, {.tolerance = 1e-9}, context), Cancelled);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace espalier
