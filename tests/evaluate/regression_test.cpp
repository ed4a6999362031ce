#include "espalier/evaluate/regression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "espalier/base/random.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using Reals = std::vector<double>;

TEST(Regression, MatchesValuesComputedByHand) {
  // Errors 1, 0, -2; the truth is 1, 0, 1 away from its mean 2.
  const auto scores = evaluate_regression(Reals{1, 2, 3}, Reals{2, 2, 1});
  EXPECT_EQ(scores.examples, 3U);
  EXPECT_DOUBLE_EQ(scores.mean_squared_error, 5.0 / 3);
  EXPECT_DOUBLE_EQ(scores.mean_absolute_error, 1);
  EXPECT_DOUBLE_EQ(scores.r2.value(), 1 - 5.0 / 2);
  // Covariance -1, squares 2 and 2/3; ranks 1 2 3 and 2.5 2.5 1.
  EXPECT_DOUBLE_EQ(scores.pearson.value(), -1 / std::sqrt(2 * 2.0 / 3));
  EXPECT_DOUBLE_EQ(scores.spearman.value(), -1.5 / std::sqrt(2 * 1.5));
}

TEST(Regression, MatchesScikitLearnAndScipy) {
  // scikit-learn 1.9.1: mean_squared_error, mean_absolute_error, r2_score; scipy 1.17.1: pearsonr
  // and spearmanr. Both lists have ties.
  const auto scores = evaluate_regression(Reals{3.5, -0.25, 2, 7, 7, 1.5, 0, 4},
                                          Reals{2.5, 0, 2, 8, 6, 2, 0, 4.25});
  EXPECT_DOUBLE_EQ(scores.mean_squared_error, 0.421875);
  EXPECT_DOUBLE_EQ(scores.mean_absolute_error, 0.5);
  EXPECT_DOUBLE_EQ(scores.r2.value(), 0.9397237337798242);
  EXPECT_DOUBLE_EQ(scores.pearson.value(), 0.9697968618364234);
  EXPECT_DOUBLE_EQ(scores.spearman.value(), 0.9818362138701557);
}

TEST(Regression, HasNoCorrelationWithAConstant) {
  // Three times 0.1 does not add up to 0.3: the mean is not exactly the value.
  const auto same_prediction = evaluate_regression(Reals{1, 2, 3}, Reals{0.1, 0.1, 0.1});
  EXPECT_TRUE(same_prediction.r2);
  EXPECT_FALSE(same_prediction.pearson);
  EXPECT_FALSE(same_prediction.spearman);
  const auto same_truth = evaluate_regression(Reals{0.1, 0.1, 0.1}, Reals{1, 2, 3});
  EXPECT_FALSE(same_truth.r2);
  EXPECT_FALSE(same_truth.pearson);
  EXPECT_FALSE(same_truth.spearman);
  EXPECT_NEAR(same_truth.mean_absolute_error, 1.9, 1e-15);
  EXPECT_FALSE(evaluate_regression(Reals{1}, Reals{2}).r2);
}

TEST(Regression, OfTheTruthItselfIsPerfect) {
  const Reals truth = {0.1, 0.7, -3, 12};
  const auto scores = evaluate_regression(truth, truth);
  EXPECT_EQ(scores.mean_squared_error, 0);
  EXPECT_EQ(scores.mean_absolute_error, 0);
  EXPECT_EQ(scores.r2, 1);
  EXPECT_DOUBLE_EQ(scores.pearson.value(), 1);
  EXPECT_DOUBLE_EQ(scores.spearman.value(), 1);
}

TEST(Regression, IsInvariantToScale) {
  const Reals truth = {1, 4, 2, 8, 5, 7}, predicted = {2, 3, 1, 9, 5, 6};
  const auto scores = evaluate_regression(truth, predicted);
  // So far from 1 that squares overflow or vanish.
  for (const double unit : {1e-200, 1e-3, 1e200}) {
    Reals other_truth, other_predicted;
    for (const double number : truth) other_truth.push_back(number * unit);
    for (const double number : predicted) other_predicted.push_back(number * unit);
    const auto other = evaluate_regression(other_truth, other_predicted);
    EXPECT_NEAR(other.r2.value(), scores.r2.value(), 1e-14) << unit;
    EXPECT_NEAR(other.pearson.value(), scores.pearson.value(), 1e-14) << unit;
    EXPECT_NEAR(other.spearman.value(), scores.spearman.value(), 1e-14) << unit;
  }
}

TEST(Regression, SpearmanDependsOnlyOnTheOrder) {
  Random random(2);
  Reals truth, predicted, stretched;
  for (int i = 0; i < 50; ++i) {
    truth.push_back(std::floor(10 * random.uniform()));
    predicted.push_back(truth.back() + std::floor(8 * random.uniform()));
    stretched.push_back(std::exp(predicted.back()));
  }
  EXPECT_DOUBLE_EQ(evaluate_regression(truth, predicted).spearman.value(),
                   evaluate_regression(truth, stretched).spearman.value());
}

/// How many are below, and half of those that are equal.
double rank(const Reals& values, double value) {
  double out = 0.5;
  for (const double other : values) out += other < value ? 1 : other == value ? 0.5 : 0;
  return out;
}

/// By sums over all pairs of examples, without any mean.
double correlation_by_pairs(const Reals& a, const Reals& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      ab += (a[i] - a[j]) * (b[i] - b[j]);
      aa += (a[i] - a[j]) * (a[i] - a[j]);
      bb += (b[i] - b[j]) * (b[i] - b[j]);
    }
  }
  return ab / std::sqrt(aa * bb);
}

TEST(Regression, MatchesTheDefinitions) {
  Random random(31);
  for (int round = 0; round < 30; ++round) {
    Reals truth = {0, 1}, predicted = {2, 3}, truth_ranks, predicted_ranks;
    for (std::uint64_t left = random.below(30); left > 0; --left) {
      truth.push_back(static_cast<double>(random.below(9)) / 2);
      predicted.push_back(static_cast<double>(random.below(9)) / 2);
    }
    for (const double value : truth) truth_ranks.push_back(rank(truth, value));
    for (const double value : predicted) predicted_ranks.push_back(rank(predicted, value));
    const auto scores = evaluate_regression(truth, predicted);
    ASSERT_NEAR(scores.pearson.value(), correlation_by_pairs(truth, predicted), 1e-13);
    ASSERT_NEAR(scores.spearman.value(), correlation_by_pairs(truth_ranks, predicted_ranks), 1e-13);
  }
}

TEST(Regression, RejectsBadInput) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(fails_with("no examples", [] { evaluate_regression(Reals{}, Reals{}); }));
  EXPECT_TRUE(fails_with("the number of predictions, 2, is not that of the examples, 1", [] {
    evaluate_regression(Reals{1}, Reals{1, 2});
  }));
  EXPECT_TRUE(fails_with("the predicted number of example 1 is infinite or not a number", [&] {
    evaluate_regression(Reals{1, 2}, Reals{1, infinite});
  }));
  EXPECT_TRUE(fails_with("the true number of example 0 is infinite or not a number",
                         [] { evaluate_regression(Reals{std::nan("")}, Reals{1}); }));
}

TEST(Regression, FieldsListsAllMembers) {
  int fields = 0;
  RegressionScores().fields([&](const char*, const auto&) { ++fields; });
  EXPECT_EQ(fields, 6);
}

}  // namespace
}  // namespace espalier
