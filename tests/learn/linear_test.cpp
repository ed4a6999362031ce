#include "espalier/learn/linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "learn/feature_problems.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::exact;
using test::expect_near;
using test::fails_with;
using test::LinearProblem;
using test::losses;

std::vector<double> column(const Matrix<double>& scores, std::size_t c) {
  std::vector<double> out;
  for (std::size_t i = 0; i < scores.rows(); ++i) out.push_back(scores(i, c));
  return out;
}

/// The primal objective: 1/2 w^2 + 1/2 bias^2 + cost of errors. `missed(i, f)` is the error of
/// example i.
template <class Missed>
double primal(const LinearModel& model, const FeatureRows& rows, const LinearLearnerOptions& linear,
              double cost, Missed&& missed) {
  const DecisionFunction& function = model.classifiers.functions[0];
  double sum = linear.bias ? function.bias * function.bias / 2 : 0;
  for (const double w : model.weights.row(0)) sum += w * w / 2;
  const auto f = column(decision_values(model, rows), 0);
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double error = std::max(0.0, missed(i, f[i]));
    sum += cost * (linear.loss == LinearLoss::hinge ? error : error * error);
  }
  return sum;
}

TEST(Linear, PrimalEqualsDual) {
  for (const LinearLoss loss : losses) {
    for (const bool bias : {true, false}) {
      for (const double cost : {0.1, 1.0, 8.0}) {
        const LinearProblem data(3, 70, 4);
        const FeatureRows rows(data.dense);
        const LinearLearnerOptions linear = {.loss = loss, .bias = bias};
        const auto model = train_linear_classifier(rows, data.labels, exact(cost), linear);
        ASSERT_EQ(model.classifiers.functions.size(), 1U);
        const DecisionFunction& function = model.classifiers.functions[0];
        EXPECT_TRUE(function.converged);
        EXPECT_TRUE(bias || function.bias == 0);
        const double value = primal(model, rows, linear, cost,
                                    [&](std::size_t i, double f) { return 1 - data.signs[i] * f; });
        EXPECT_NEAR(value, -function.objective, 1e-6 * value);
      }
    }
  }
}

TEST(Linear, SatisfiesKktConditions) {
  const LinearProblem data(5, 120, 3);
  const auto model = train_linear_classifier(FeatureRows(data.dense), data.labels, exact(2));
  const auto f = column(decision_values(model, FeatureRows(data.dense)), 0);
  const auto coefficients = test::coefficients(model.classifiers.functions[0], f.size());
  int free = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double margin = data.signs[i] * f[i], alpha = data.signs[i] * coefficients[i];
    EXPECT_GE(alpha, 0);
    EXPECT_LE(alpha, 2);
    EXPECT_TRUE(alpha == 2 || margin >= 1 - 1e-6) << alpha << " " << margin;
    EXPECT_TRUE(alpha == 0 || margin <= 1 + 1e-6) << alpha << " " << margin;
    free += alpha > 0 && alpha < 2 ? 1 : 0;
  }
  EXPECT_GT(free, 0);
}

TEST(Linear, WeightsAreTheSumOfSupportVectors) {
  const LinearProblem data(6, 50, 3);
  const auto model = train_linear_classifier(FeatureRows(data.sparse), data.labels);
  const DecisionFunction& function = model.classifiers.functions[0];
  std::vector<double> weights(3, 0.0);
  double bias = 0;
  for (const SupportVector& s : function.support_vectors) {
    for (std::size_t d = 0; d < 3; ++d) weights[d] += s.coefficient * data.points[s.example][d];
    bias += s.coefficient;
  }
  expect_near(model.weights.row(0), weights, 1e-10);
  EXPECT_NEAR(function.bias, bias, 1e-10);
}

TEST(Linear, MatchesTheKernelSvm) {
  for (const LinearLoss loss : losses) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const LinearProblem data(seed, 60, 3);
      const FeatureRows rows(data.dense);
      const auto model = train_linear_classifier(rows, data.labels, exact(2), {.loss = loss});
      const auto expected = data.separate_by_gram(2, loss);
      EXPECT_NEAR(model.classifiers.functions[0].objective, expected.objective, 1e-5);
      expect_near(column(decision_values(model, rows), 0), expected.scores, 1e-5);
    }
  }
}

TEST(LinearSvr, MatchesTheKernelSvr) {
  for (const LinearLoss loss : losses) {
    for (const double epsilon : {0.0, 0.25}) {
      const LinearProblem data(8, 60, 3);
      const FeatureRows rows(data.dense);
      const SvrOptions options = {
          .cost = 2, .epsilon = epsilon, .solver = {.tolerance = 1e-8, .max_iterations = 100'000}};
      const LinearLearnerOptions linear = {.loss = loss};
      const auto model = train_linear_svr(rows, data.targets, options, linear);
      const DecisionFunction& function = model.classifiers.functions.at(0);
      EXPECT_TRUE(function.converged);
      const double value = primal(model, rows, linear, 2, [&](std::size_t i, double f) {
        return std::abs(data.targets[i] - f) - epsilon;
      });
      EXPECT_NEAR(value, -function.objective, 1e-6 * value);
      const auto expected = data.fit_by_gram(2, epsilon, loss);
      EXPECT_NEAR(function.objective, expected.objective, 1e-5);
      expect_near(column(decision_values(model, rows), 0), expected.scores, 1e-4);
    }
  }
}

TEST(LinearSvr, FitsALine) {
  const auto rows = test::dense_of({{0}, {1}, {2}, {3}});
  const std::vector<double> targets = {1, 3, 5, 7};
  const auto model = train_linear_svr(FeatureRows(rows), targets,
                                      {.cost = 1000, .epsilon = 0, .solver = {.tolerance = 1e-6}});
  expect_near(column(decision_values(model, FeatureRows(rows)), 0), targets, 1e-4);
  EXPECT_NEAR(model.weights(0, 0), 2, 1e-4);
}

TEST(Linear, DenseAndSparseRowsAgree) {
  for (const std::size_t dimensions : {3U, 8U, 21U}) {
    const LinearProblem data(1, 50, dimensions, 3);
    const auto dense = train_linear_classifier(FeatureRows(data.dense), data.labels, exact());
    const auto sparse = train_linear_classifier(FeatureRows(data.sparse), data.labels, exact());
    for (std::size_t m = 0; m < 3; ++m) {
      expect_near(dense.weights.row(m), sparse.weights.row(m), 1e-6);
      EXPECT_NEAR(dense.classifiers.functions[m].bias, sparse.classifiers.functions[m].bias, 1e-6);
    }
    const auto a = decision_values(dense, FeatureRows(data.dense));
    const auto b = decision_values(dense, FeatureRows(data.sparse));
    for (std::size_t i = 0; i < a.rows(); ++i) expect_near(a.row(i), b.row(i), 1e-12);
  }
}

TEST(Linear, ShrinkingFindsTheSameOptimum) {
  const LinearProblem data(2, 200, 5);
  auto options = exact(4);
  const auto with = train_linear_classifier(FeatureRows(data.dense), data.labels, options);
  options.solver.shrinking = false;
  const auto without = train_linear_classifier(FeatureRows(data.dense), data.labels, options);
  expect_near(with.weights.row(0), without.weights.row(0), 1e-6);
}

TEST(Linear, OptimumDoesNotDependOnTheSeed) {
  const LinearProblem data(2, 80, 4);
  const auto train = [&](std::uint64_t seed) {
    return train_linear_classifier(FeatureRows(data.dense), data.labels, exact(), {.seed = seed});
  };
  const auto a = train(1), b = train(1), c = train(2);
  EXPECT_EQ(a.classifiers.functions[0].support_vectors, b.classifiers.functions[0].support_vectors);
  EXPECT_NE(a.classifiers.functions[0].support_vectors, c.classifiers.functions[0].support_vectors);
  expect_near(a.weights.row(0), c.weights.row(0), 1e-6);
}

TEST(Linear, TwoPointsOnALine) {
  // At -2 and 2: f(x) = x / 2, by coefficients of 1/8.
  const auto rows = test::dense_of({{-2}, {2}});
  ClassLists labels(2);
  labels.add(1);
  labels.add(0);
  const auto model = train_linear_classifier(FeatureRows(rows), labels, exact(10));
  EXPECT_NEAR(model.weights(0, 0), 0.5, 1e-7);
  EXPECT_NEAR(model.classifiers.functions[0].bias, 0, 1e-7);
  EXPECT_NEAR(model.classifiers.functions[0].objective, -0.125, 1e-7);
}

TEST(Linear, TwinsWithOppositeClassesCancelOut) {
  const auto rows = test::dense_of({{1, 2}, {1, 2}, {1, 2}, {1, 2}});
  ClassLists labels(2);
  for (const std::uint32_t c : {0U, 1U, 0U, 1U}) labels.add(c);
  const auto model = train_linear_classifier(FeatureRows(rows), labels, exact());
  EXPECT_TRUE(model.classifiers.functions[0].converged);
  expect_near(model.weights.row(0), std::vector<double>{0, 0}, 1e-7);
}

TEST(Linear, RowsWithoutFeaturesOnlyMoveTheBias) {
  for (const std::size_t columns : {0U, 2U}) {
    SparseMatrix rows(columns);
    ClassLists labels(2);
    for (const std::uint32_t c : {0U, 0U, 1U}) {
      rows.add_row({}, {});
      labels.add(c);
    }
    for (const LinearLoss loss : losses) {
      const auto model =
          train_linear_classifier(FeatureRows(rows), labels, exact(), {.loss = loss});
      EXPECT_TRUE(model.classifiers.functions[0].converged);
      EXPECT_GT(decision_values(model, FeatureRows(rows))(2, 0), 0);
      const auto plain = train_linear_classifier(FeatureRows(rows), labels, exact(),
                                                 {.loss = loss, .bias = false});
      EXPECT_TRUE(plain.classifiers.functions[0].converged);
      EXPECT_EQ(decision_values(plain, FeatureRows(rows))(0, 0), 0);
    }
  }
}

TEST(Linear, ReportsTheIterationLimit) {
  const LinearProblem data(12, 200, 5);
  auto options = exact(1e8);
  options.solver.max_iterations = 20;
  const auto model = train_linear_classifier(FeatureRows(data.dense), data.labels, options);
  EXPECT_FALSE(model.classifiers.functions[0].converged);
  EXPECT_EQ(model.classifiers.functions[0].iterations, 20U);
  for (const double w : model.weights.row(0)) EXPECT_TRUE(std::isfinite(w));
}

TEST(Linear, CanBeCancelledAndReportsProgress) {
  const LinearProblem data(1, 50, 2, 3);
  const FeatureRows rows(data.dense);
  EXPECT_THROW(
      train_linear_classifier(rows, data.labels, {}, {}, {.cancelled = [] { return true; }}),
      Cancelled);
  EXPECT_THROW(train_linear_svr(rows, data.targets, {}, {}, {.cancelled = [] { return true; }}),
               Cancelled);
  double share = 0;
  train_linear_classifier(rows, data.labels, {}, {}, {.progress = [&](double s) { share = s; }});
  EXPECT_EQ(share, 1);
}

TEST(Linear, RejectsBadInput) {
  LinearProblem data(1, 5, 2);
  const FeatureRows rows(data.dense);
  const auto train = [&](const ClassifierOptions& options) {
    return [&, options] { train_linear_classifier(rows, data.labels, options); };
  };
  EXPECT_TRUE(fails_with("C = 0", train({.cost = 0})));
  EXPECT_TRUE(fails_with("tolerance = 0", train({.solver = {.tolerance = 0}})));
  EXPECT_TRUE(fails_with("class weights", train({.weights = ClassWeights::given})));
  EXPECT_TRUE(fails_with("classes for 1 examples", [&] {
    ClassLists labels(1);
    labels.add(0);
    train_linear_classifier(rows, labels);
  }));
  EXPECT_TRUE(
      fails_with("4 targets for 5", [&] { train_linear_svr(rows, std::vector<double>(4, 0.0)); }));
  EXPECT_TRUE(fails_with("no examples", [&] {
    const SparseMatrix empty(3);
    train_linear_svr(FeatureRows(empty), {});
  }));
  EXPECT_TRUE(fails_with("3 features", [&] {
    const auto model = train_linear_classifier(rows, data.labels);
    const SparseMatrix wider(3);
    decision_values(model, FeatureRows(wider));
  }));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    data.dense(3, 1) = static_cast<float>(bad);
    EXPECT_TRUE(fails_with("features of example 4", train({})));
  }
}

}  // namespace
}  // namespace espalier
