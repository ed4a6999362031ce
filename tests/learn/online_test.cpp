#include "espalier/learn/online.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "learn/problems.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using Scores = std::vector<double>;
using Classes = std::vector<std::uint32_t>;
using Updates = std::vector<OnlineUpdate>;

constexpr OnlineOptions pa = {OnlineRule::passive_aggressive, 1};
constexpr OnlineOptions perceptron = {OnlineRule::perceptron, 1};

/// The scores of the example after the update.
Scores after(Scores scores, const Updates& updates, double self_kernel) {
  for (const auto& [output, coefficient] : updates) scores[output] += coefficient * self_kernel;
  return scores;
}

double margin(const Scores& scores, const Classes& classes) {
  double lowest = INFINITY, highest = -INFINITY;
  for (std::uint32_t c = 0; c < scores.size(); ++c) {
    const bool relevant = std::ranges::find(classes, c) != classes.end();
    (relevant ? lowest : highest) =
        relevant ? std::min(lowest, scores[c]) : std::max(highest, scores[c]);
  }
  return (std::isinf(lowest) ? 0 : lowest) - (std::isinf(highest) ? 0 : highest);
}

TEST(Online, PassiveAggressiveUpdateGivesMarginOne) {
  test::Numbers numbers(1);
  int updated = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const double self_kernel = numbers.between(0.1, 5);
    // Two others far below: only the highest counts.
    const Scores scores = {numbers.between(-2, 2), numbers.between(-2, 2), -9, -9};
    const Classes classes = {numbers.below(2)};
    const auto updates = update_classes(scores, classes, self_kernel, pa);
    if (updates.empty()) {
      EXPECT_GE(margin(scores, classes), 1);
    } else {
      EXPECT_NEAR(margin(after(scores, updates, self_kernel), classes), 1, 1e-12);
      ++updated;
    }
  }
  EXPECT_GT(updated, 100);
}

TEST(Online, MarginIsLowestClassMinusHighestOther) {
  const Scores scores = {0.5, -1, 0.75, 0.25};
  EXPECT_EQ(update_classes(scores, Classes{0, 1}, 2, perceptron), (Updates{{1, 1}, {2, -1}}));
  EXPECT_EQ(update_classes(scores, Classes{1, 2, 0}, 2, pa), (Updates{{1, 0.5625}, {3, -0.5625}}));
  EXPECT_EQ(update_classes(Scores{0, 0, 0}, Classes{1}, 1, perceptron), (Updates{{1, 1}, {0, -1}}));
}

TEST(Online, MissingScoresAreZero) {
  EXPECT_EQ(update_classes(Scores{0.25}, Classes{0}, 1, pa), (Updates{{0, 0.75}}));
  EXPECT_EQ(update_classes(Scores{0.25}, Classes{}, 1, pa), (Updates{{0, -1.25}}));
  EXPECT_EQ(update_classes(Scores{-3, 0.5}, Classes{0, 1}, 2, pa), (Updates{{0, 2}}));
  EXPECT_EQ(update_classes(Scores{-1.5, -1}, Classes{}, 2, pa), Updates{});
}

TEST(Online, PerceptronUpdatesOnErrorsOnly) {
  EXPECT_EQ(update_classes(Scores{0.1, 0}, Classes{0}, 1, perceptron), Updates{});
  EXPECT_EQ(update_classes(Scores{0, 0}, Classes{0}, 1, perceptron), (Updates{{0, 1}, {1, -1}}));
}

TEST(Online, AggressivenessLimitsAndDamps) {
  // The loss is 3 and |difference|^2 is 4: 3/4 without a limit.
  const Scores scores = {-1, 1};
  const auto step = [&](OnlineRule rule, double aggressiveness) {
    return update_classes(scores, Classes{0}, 2, {rule, aggressiveness})[0].coefficient;
  };
  EXPECT_DOUBLE_EQ(step(OnlineRule::passive_aggressive, 0.5), 0.75);
  EXPECT_DOUBLE_EQ(step(OnlineRule::passive_aggressive_1, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(step(OnlineRule::passive_aggressive_1, 2), 0.75);
  EXPECT_DOUBLE_EQ(step(OnlineRule::passive_aggressive_2, 0.5), 3.0 / (4 + 1));
}

TEST(Online, RegressionUpdatesReachTheTube) {
  const auto raised = update_number(1, 3, 0.5, 4, pa);
  EXPECT_EQ(raised, (Updates{{0, 0.375}}));
  EXPECT_DOUBLE_EQ(1 + 4 * raised[0].coefficient, 2.5);
  EXPECT_EQ(update_number(3, 1, 0.5, 4, pa), (Updates{{0, -0.375}}));
  EXPECT_EQ(update_number(3, 2.75, 0.5, 4, pa), Updates{});
  EXPECT_EQ(update_number(1, 3, 0.5, 4, {OnlineRule::passive_aggressive_1, 0.25}),
            (Updates{{0, 0.25}}));
}

TEST(Online, ZeroSelfKernelGivesNoUpdate) {
  for (const double self_kernel : {0.0, 5e-324}) {
    EXPECT_EQ(update_classes(Scores{0, 0}, Classes{0}, self_kernel, pa), Updates{});
    EXPECT_EQ(update_number(0, 5, 0.1, self_kernel, pa), Updates{});
  }
  EXPECT_EQ(update_classes(Scores{0, 0}, Classes{0}, 0, perceptron), Updates{});
}

TEST(Online, LearnsASeparableProblem) {
  test::Numbers numbers(3);
  const auto points = test::random_points(numbers, 60, 2);
  const auto gram =
      test::gram_of(60, [&](auto i, auto j) { return test::dot(points[i], points[j]) + 1; });
  const auto class_of = [&](std::size_t i) { return points[i][0] > points[i][1] + 0.25 ? 1U : 0U; };
  for (const auto rule : {OnlineRule::perceptron, OnlineRule::passive_aggressive,
                          OnlineRule::passive_aggressive_1, OnlineRule::passive_aggressive_2}) {
    std::vector<Scores> coefficients(2, Scores(60, 0.0));
    int errors = 0;
    for (int round = 0; round < 200; ++round) {
      errors = 0;
      for (std::size_t i = 0; i < 60; ++i) {
        Scores scores(2, 0.0);
        for (std::size_t o = 0; o < 2; ++o) {
          for (std::size_t j = 0; j < 60; ++j) {
            scores[o] += coefficients[o][j] * static_cast<double>(gram(i, j));
          }
        }
        errors += scores[class_of(i)] > scores[1 - class_of(i)] ? 0 : 1;
        for (const auto& [output, coefficient] : update_classes(
                 scores, Classes{class_of(i)}, static_cast<double>(gram(i, i)), {rule, 10})) {
          coefficients[output][i] += coefficient;
        }
      }
    }
    EXPECT_LE(errors, 1);
  }
}

TEST(Online, RejectsBadInput) {
  EXPECT_TRUE(fails_with("no scores", [] { update_classes({}, {}, 1); }));
  EXPECT_TRUE(fails_with("no class number 2", [] { update_classes(Scores{0, 0}, Classes{2}, 1); }));
  EXPECT_TRUE(fails_with("self-kernel of the example is -1", [] {
    update_classes(Scores{0, 0}, Classes{0}, -1);
  }));
  EXPECT_TRUE(fails_with("aggressiveness = 0", [] {
    update_number(0, 1, 0, 1, {OnlineRule::passive_aggressive_1, 0});
  }));
  EXPECT_TRUE(fails_with("diverged", [] { update_classes(Scores{NAN, 0}, Classes{0}, 1); }));
  EXPECT_TRUE(
      fails_with("choose a passive-aggressive", [] { update_number(0, 1, 0, 1, perceptron); }));
  EXPECT_TRUE(fails_with("epsilon = -1", [] { update_number(0, 1, -1, 1); }));
}

}  // namespace
}  // namespace espalier
