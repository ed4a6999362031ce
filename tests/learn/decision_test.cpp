#include "espalier/learn/decision.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/failure.hpp"

namespace espalier {
namespace {

using Scores = std::vector<double>;
using Classes = std::vector<std::uint32_t>;

/// One-vs-one classifiers for some classes.
BinaryClassifiers pairs(std::vector<std::size_t> class_sizes) {
  BinaryClassifiers out;
  for (std::uint32_t a = 0; a < class_sizes.size(); ++a) {
    for (std::uint32_t b = a + 1; b < class_sizes.size(); ++b) {
      if (class_sizes[a] > 0 && class_sizes[b] > 0) out.problems.push_back({a, b});
    }
  }
  out.class_sizes = std::move(class_sizes);
  return out;
}

TEST(Decision, OneVsRestScoresAreDecisionValues) {
  BinaryClassifiers classifiers;
  classifiers.class_sizes = {2, 0, 5};
  classifiers.problems = {{0}, {2}};
  EXPECT_EQ(class_scores(classifiers, Scores{0.5, -0.25}),
            (Scores{0.5, -std::numeric_limits<double>::infinity(), -0.25}));
}

TEST(Decision, OneVsOneUsesVotes) {
  // 0 beats 1 by far, but 2 beats both.
  const auto scores = class_scores(pairs({1, 1, 1}), Scores{9, -0.1, -0.1});
  EXPECT_EQ(best_class(scores), 2);
  EXPECT_GT(scores[2], 3);
  EXPECT_LT(scores[2], 3.34);
}

TEST(Decision, BreaksTiesLikeLibsvm) {
  // Each wins once: 0 over 1, 1 over 2, 2 over 0; 1 with the highest margins, which only rank the
  // rest.
  const auto scores = class_scores(pairs({1, 1, 1}), Scores{0.5, -1, 2});
  EXPECT_EQ(best_class(scores), 0);
  EXPECT_NEAR(scores[0], 2, 1.0 / 3);
  EXPECT_NEAR(scores[1], 1, 1.0 / 3);
  EXPECT_NEAR(scores[2], 1, 1.0 / 3);
  EXPECT_GT(scores[1], scores[2]);
}

TEST(Decision, LargeMarginsDoNotOutweighVotes) {
  // 3 wins twice by little; 0 wins once by very much.
  const auto scores = class_scores(pairs({1, 0, 1, 1}), Scores{1e300, -0.1, -0.1});
  EXPECT_EQ(best_class(scores), 3);
  EXPECT_LT(scores[1], 0);
}

TEST(Decision, TiesGoToTheLowestNumber) {
  EXPECT_EQ(best_class(Scores{-1, 2, 2}), 1);
  EXPECT_EQ(best_class(class_scores(pairs({1, 1}), Scores{0})), 0);
  EXPECT_EQ(best_class(class_scores(pairs({1, 1, 1}), Scores{0, 0, 0})), 0);
}

TEST(Decision, FindsClassesAboveAThreshold) {
  EXPECT_EQ(classes_above(Scores{0.1, 0, -1, 3}), (Classes{0, 3}));
  EXPECT_EQ(classes_above(Scores{0.1, 0, -1, 3}, 0.5), (Classes{3}));
  EXPECT_EQ(classes_above(Scores{-0.1}), Classes{});
}

TEST(Decision, RejectsBadInput) {
  EXPECT_TRUE(test::fails_with("no classes", [] { best_class({}); }));
  EXPECT_TRUE(test::fails_with("1 decision values for 3 binary classifiers", [] {
    class_scores(pairs({1, 1, 1}), Scores{1});
  }));
}

}  // namespace
}  // namespace espalier
