#include "espalier/learn/svm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "learn/problems.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::Numbers;

/// Two overlapping clouds, with a cost for each example.
struct TwoClouds {
  explicit TwoClouds(std::uint64_t seed, std::size_t size = 80) {
    Numbers numbers(seed);
    points = test::random_points(numbers, size, 2);
    for (auto& point : points) {
      signs.push_back(numbers.sign());
      point[0] += 0.5 * signs.back();
      costs.push_back(numbers.between(0.5, 4));
    }
    gram = test::rbf_gram(points, 1);
  }
  test::Points points;
  std::vector<std::int8_t> signs;
  std::vector<double> costs;
  Matrix<float> gram;
};

TEST(Svc, SatisfiesKktConditions) {
  constexpr double tolerance = 1e-4;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const TwoClouds data(seed);
    const auto function =
        train_svc(GramView(data.gram), data.signs, data.costs, {.tolerance = tolerance});
    const auto f = test::scores(function, data.gram);
    const auto coefficients = test::coefficients(function, f.size());
    int free = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double margin = data.signs[i] * f[i], alpha = data.signs[i] * coefficients[i];
      EXPECT_GE(alpha, 0);
      EXPECT_LE(alpha, data.costs[i]);
      EXPECT_TRUE(alpha == data.costs[i] || margin >= 1 - tolerance) << alpha << " " << margin;
      EXPECT_TRUE(alpha == 0 || margin <= 1 + tolerance) << alpha << " " << margin;
      free += alpha > 0 && alpha < data.costs[i] ? 1 : 0;
    }
    EXPECT_GT(free, 0);
    EXPECT_NEAR(std::accumulate(coefficients.begin(), coefficients.end(), 0.0), 0, 1e-10);
  }
}

TEST(Svc, TwoPointsOnALine) {
  // At 0 and 2 with a wide margin: f(x) = x - 1, by coefficients of 1/2.
  const auto gram = test::linear_gram({{0}, {2}});
  const std::vector<std::int8_t> signs = {-1, 1};
  const auto function = train_svc(GramView(gram), signs, std::vector<double>{10, 10});
  EXPECT_EQ(function.support_vectors, (std::vector<SupportVector>{{0, -0.5}, {1, 0.5}}));
  EXPECT_DOUBLE_EQ(function.bias, -1);
  EXPECT_DOUBLE_EQ(function.objective, -0.5);
  EXPECT_DOUBLE_EQ(decision_value(function, std::vector<double>{0, 6}), 2) << "x = 3";
}

TEST(Svc, AHigherCostMovesTheBoundaryAway) {
  const TwoClouds data(7);
  const std::vector<double> ones(data.signs.size(), 1.0);
  auto weighted = ones;
  for (std::size_t i = 0; i < ones.size(); ++i) weighted[i] = data.signs[i] > 0 ? 10 : 1;
  const auto positives = [&](const std::vector<double>& costs) {
    const auto f = test::scores(train_svc(GramView(data.gram), data.signs, costs), data.gram);
    return std::ranges::count_if(f, [](double s) { return s > 0; });
  };
  EXPECT_GT(positives(weighted), positives(ones));
}

TEST(Svc, AlwaysPredictsTheOnlyClass) {
  const TwoClouds data(1, 5);
  for (const std::int8_t sign : {std::int8_t{1}, std::int8_t{-1}}) {
    const std::vector<std::int8_t> signs(5, sign);
    const auto function = train_svc(GramView(data.gram), signs, data.costs);
    EXPECT_TRUE(function.support_vectors.empty());
    EXPECT_EQ(function.bias, sign);
  }
}

TEST(Svc, TwinsWithOppositeSignsCancelOut) {
  const auto gram = test::gram_of(4, [](auto, auto) { return 1; });
  const std::vector<std::int8_t> signs = {1, -1, 1, -1};
  const auto function = train_svc(GramView(gram), signs, std::vector<double>(4, 2.0));
  EXPECT_TRUE(function.converged);
  EXPECT_EQ(test::coefficients(function, 4), (std::vector<double>{2, -2, 2, -2}));
  EXPECT_EQ(function.bias, 0);
}

TEST(Svc, SubsetMatchesItsOwnMatrix) {
  const TwoClouds data(9, 120);
  Numbers numbers(1);
  std::vector<std::uint32_t> examples;
  std::vector<std::int8_t> signs;
  std::vector<double> costs;
  for (std::uint32_t i = 0; i < 120; ++i) {
    if (numbers.below(3) == 0) continue;
    examples.push_back(119 - i);  // descending: the caller chooses the order
    signs.push_back(data.signs[119 - i]);
    costs.push_back(data.costs[119 - i]);
  }
  const auto copied = test::submatrix(data.gram, examples);
  const auto expected = train_svc(GramView(copied), signs, costs);
  const auto function = train_svc(GramView(data.gram, examples), signs, costs);
  ASSERT_EQ(function.support_vectors.size(), expected.support_vectors.size());
  for (std::size_t s = 0; s < function.support_vectors.size(); ++s) {
    EXPECT_EQ(function.support_vectors[s].example, examples[expected.support_vectors[s].example]);
    EXPECT_EQ(function.support_vectors[s].coefficient, expected.support_vectors[s].coefficient);
  }
  EXPECT_EQ(function.bias, expected.bias);
  EXPECT_EQ(function.iterations, expected.iterations);
}

TEST(Svr, SatisfiesKktConditions) {
  constexpr double tolerance = 1e-4;
  Numbers numbers(2);
  const auto points = test::random_points(numbers, 70, 1);
  std::vector<double> targets;
  for (const auto& p : points) targets.push_back(std::sin(4 * p[0]) + numbers.between(-0.4, 0.4));
  const auto gram = test::rbf_gram(points, 3);
  const SvrOptions options = {.cost = 5, .epsilon = 0.2, .solver = {.tolerance = tolerance}};
  const auto function = train_svr(GramView(gram), targets, options);
  const auto f = test::scores(function, gram);
  const auto coefficients = test::coefficients(function, f.size());
  std::size_t inside = 0, outside = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double c = coefficients[i];
    const double beyond = (targets[i] - f[i]) * (c < 0 ? -1 : 1) - 0.2;
    EXPECT_LE(std::abs(c), 5);
    if (c == 0) {
      EXPECT_LE(std::abs(targets[i] - f[i]), 0.2 + tolerance);
    } else if (std::abs(c) < 5) {
      EXPECT_NEAR(beyond, 0, tolerance);
    } else {
      EXPECT_GE(beyond, -tolerance);
    }
    inside += c == 0 ? 1 : 0;
    outside += std::abs(c) == 5 ? 1 : 0;
  }
  EXPECT_GT(inside, 10);
  EXPECT_GT(outside, 0);
}

TEST(Svr, TargetsWithinTheTubeNeedNoSupportVectors) {
  const auto gram = test::linear_gram({{0}, {1}, {2}});
  const auto function =
      train_svr(GramView(gram), std::vector<double>{3, 3.1, 3.2}, {.epsilon = 0.2});
  EXPECT_TRUE(function.support_vectors.empty());
  EXPECT_NEAR(function.bias, 3.1, 0.1 + 1e-9);
}

TEST(OneClass, NuBoundsOutliersAndSupportVectors) {
  Numbers numbers(3);
  const auto gram = test::rbf_gram(test::random_points(numbers, 90, 2), 1);
  for (const double nu : {0.05, 0.3, 0.7, 1.0}) {
    SCOPED_TRACE(nu);
    const auto function =
        train_one_class(GramView(gram), {.nu = nu, .solver = {.tolerance = 1e-6}});
    const auto f = test::scores(function, gram);
    const auto outside = std::ranges::count_if(f, [](double s) { return s < -1e-5; });
    double sum = 0;
    for (const SupportVector& s : function.support_vectors) {
      EXPECT_GT(s.coefficient, 0);
      EXPECT_LE(s.coefficient, 1);
      sum += s.coefficient;
    }
    EXPECT_NEAR(sum, nu * 90, 1e-9);
    EXPECT_LE(static_cast<double>(outside), nu * 90);
    EXPECT_GE(static_cast<double>(function.support_vectors.size()), nu * 90 - 1e-9);
  }
}

TEST(Svm, RejectsBadInput) {
  auto gram = test::linear_gram({{0}, {1}, {2}});
  const GramView view(gram);
  const std::vector<std::int8_t> signs = {1, -1, 1};
  const std::vector<double> costs = {1, 1, 1};
  const std::vector<std::uint32_t> nobody, beyond = {0, 3};
  EXPECT_TRUE(fails_with("no examples", [&] { train_svc(GramView(gram, nobody), {}, {}); }));
  EXPECT_TRUE(fails_with("no examples", [&] { train_one_class(GramView(gram, nobody)); }));
  EXPECT_TRUE(fails_with("no example 3", [&] { GramView(gram, beyond); }));
  const Matrix<float> oblong(3, 2);
  EXPECT_TRUE(fails_with("2 columns", [&] { GramView{oblong}; }));
  EXPECT_TRUE(fails_with("2 costs for 3", [&] {
    train_svc(view, signs, std::vector<double>{1, 1});
  }));
  EXPECT_TRUE(fails_with("sign of an example is 0", [&] {
    train_svc(view, std::vector<std::int8_t>{1, 0, -1}, costs);
  }));
  EXPECT_TRUE(fails_with("C = -1", [&] { train_svr(view, costs, {.cost = -1}); }));
  EXPECT_TRUE(fails_with("epsilon = -2", [&] { train_svr(view, costs, {.epsilon = -2}); }));
  EXPECT_TRUE(fails_with("nu = 0", [&] { train_one_class(view, {.nu = 0}); }));
  EXPECT_TRUE(fails_with("nu = 1.5", [&] { train_one_class(view, {.nu = 1.5}); }));
  EXPECT_TRUE(
      fails_with("tolerance = 0", [&] { train_svc(view, signs, costs, {.tolerance = 0}); }));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    gram(1, 2) = bad;
    EXPECT_TRUE(fails_with("examples 2 and 3", [&] { train_svc(view, signs, costs); }));
    const std::vector<std::uint32_t> others = {0, 2};
    EXPECT_NO_THROW(train_one_class(GramView(gram, others))) << "the bad one is not used";
  }
}

}  // namespace
}  // namespace espalier
