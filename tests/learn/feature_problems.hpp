#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/base/sparse_matrix.hpp"
#include "espalier/learn/linear.hpp"
#include "learn/problems.hpp"
#include "learn/quadratic_program.hpp"

namespace espalier::test {

inline constexpr LinearLoss losses[] = {LinearLoss::hinge, LinearLoss::squared_hinge};

/// Solved to high precision.
inline ClassifierOptions exact(double cost = 1) {
  return {.cost = cost, .solver = {.tolerance = 1e-8, .max_iterations = 100'000}};
}

inline void expect_near(std::span<const double> a, std::span<const double> b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

inline Matrix<float> dense_of(const Points& points) {
  Matrix<float> out(points.size(), points.at(0).size());
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t d = 0; d < out.columns(); ++d) out(i, d) = static_cast<float>(points[i][d]);
  }
  return out;
}

inline SparseMatrix sparse_of(const Points& points) {
  SparseMatrix out(points.at(0).size());
  for (const auto& point : points) {
    std::vector<std::uint32_t> columns;
    std::vector<double> values;  // of floats, as dense rows have
    for (std::uint32_t d = 0; d < point.size(); ++d) {
      if (point[d] == 0) continue;
      columns.push_back(d);
      values.push_back(static_cast<float>(point[d]));
    }
    out.add_row(columns, values);
  }
  return out;
}

/// Overlapping clouds, one per class, with a regression target for each example; a third of the
/// features is 0.
struct LinearProblem {
  LinearProblem(std::uint64_t seed, std::size_t size, std::size_t dimensions,
                std::uint32_t classes = 2)
      : labels(classes), sparse(dimensions) {
    Numbers numbers(seed);
    points = random_points(numbers, size, dimensions);
    for (auto& point : points) {
      const std::uint32_t c = numbers.below(classes);
      labels.add(c);
      signs.push_back(c == 0 ? 1 : -1);
      for (double& x : point) x = numbers.below(3) == 0 ? 0 : x;
      point[c % dimensions] += 0.5;
      targets.push_back(2 * point[0] - point[1] + 0.5 + numbers.between(-1, 1));
    }
    dense = dense_of(points);
    sparse = sparse_of(points);
  }

  struct Expected {
    double objective;
    std::vector<double> scores;
  };

  /// By the solver for Gram matrices.
  Expected separate_by_gram(double cost, LinearLoss loss) const {
    QuadraticProgram program;
    std::vector<std::uint32_t> of(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      of[i] = i;
      program.linear.push_back(-signs[i]);
      program.lower.push_back(signs[i] > 0 ? 0 : -cost);
      program.upper.push_back(signs[i] > 0 ? cost : 0);
    }
    return by_gram(program, of, cost, loss);
  }

  /// The same, with two variables for each example, as in the textbooks.
  Expected fit_by_gram(double cost, double epsilon, LinearLoss loss) const {
    QuadraticProgram program;
    std::vector<std::uint32_t> of;
    for (const int side : {1, -1}) {
      for (std::uint32_t i = 0; i < points.size(); ++i) {
        of.push_back(i);
        program.linear.push_back(-targets[i] + side * epsilon);
        program.lower.push_back(side > 0 ? 0 : -cost);
        program.upper.push_back(side > 0 ? cost : 0);
      }
    }
    return by_gram(program, of, cost, loss);
  }

  Points points;
  std::vector<std::int8_t> signs;  ///< above 0 for class 0
  std::vector<double> targets;
  ClassLists labels;
  Matrix<float> dense;
  SparseMatrix sparse;

 private:
  /// Variable v belongs to example of[v]. An extra variable, whose kernels are all 0, absorbs the
  /// constraint on the sum, so that the others are free of it.
  Expected by_gram(QuadraticProgram program, const std::vector<std::uint32_t>& of, double cost,
                   LinearLoss loss) const {
    constexpr double wide = 1e6;
    const std::size_t count = of.size();
    const auto gram = gram_of(count + 1, [&](std::size_t i, std::size_t j) {
      if (i == count || j == count) return 0.0;
      const double ridge = loss == LinearLoss::squared_hinge && i == j ? 0.5 / cost : 0;
      return dot(points[of[i]], points[of[j]]) + 1 + ridge;
    });
    if (loss == LinearLoss::squared_hinge) {
      for (double& bound : program.lower) bound *= wide;
      for (double& bound : program.upper) bound *= wide;
    }
    program.linear.push_back(0);
    program.lower.push_back(-wide);
    program.upper.push_back(wide);
    const Solution solution = solve(GramView(gram), program, {.tolerance = 1e-7}, {});
    Expected out = {solution.objective, std::vector<double>(points.size(), 0.0)};
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t v = 0; v < count; ++v) {
        out.scores[i] += solution.values[v] * (dot(points[of[v]], points[i]) + 1);
      }
    }
    return out;
  }
};

}  // namespace espalier::test
