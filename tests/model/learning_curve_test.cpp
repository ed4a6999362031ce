#include "espalier/model/learning_curve.hpp"

#include <gtest/gtest.h>

#include "model/toy_data.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;

std::vector<FittedKernel> two_kernels() {
  return {FittedKernel(Kernel("norm(sst(t))")), FittedKernel(Kernel("norm(st(t))"))};
}

/// Five folds of single examples; toy trees may be identical.
CurveOptions five_folds(std::vector<std::size_t> sizes = {}) {
  return {std::move(sizes), {.folds = 5, .grouping = {.group_duplicates = false}}};
}

TEST(LearningCurve, HasAPointForEachKernelAndSize) {
  const Dataset data = test::toy_classes({.count = 80, .seed = 2}, 3);
  std::size_t told = 0;
  const auto points = learning_curve(two_kernels(), data, {}, five_folds({40, 10}), "macro_f1", {},
                                     [&](const CurvePoint&) { ++told; });
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(told, 4U);
  EXPECT_EQ(points[0].size, 10U);
  EXPECT_EQ(points[1].size, 40U);
  EXPECT_EQ(points[2].kernel, "norm(st(t))");
  for (const CurvePoint& point : points) {
    EXPECT_EQ(point.score.count, 5U);
    EXPECT_GT(point.seconds.mean, 0);
    EXPECT_LE(point.interval->low, point.score.mean);
  }
  EXPECT_LT(points[0].score.mean, points[1].score.mean);
}

TEST(LearningCurve, EndsAtCrossValidation) {
  const Dataset data = test::toy_classes({.count = 80, .seed = 5}, 3);
  const auto points = learning_curve(two_kernels(), data, {}, five_folds());
  ASSERT_EQ(points.size(), 10U);
  EXPECT_EQ(points[4].size, 64U);
  EXPECT_EQ(points[0].size, 4U);
  const ValidationResult whole =
      cross_validate(two_kernels()[0], data, {}, five_folds().validation);
  EXPECT_DOUBLE_EQ(points[4].score.mean, whole.spread_of("accuracy").mean);
  // Repeatable.
  EXPECT_EQ(learning_curve(two_kernels(), data, {}, five_folds())[1].score.mean,
            points[1].score.mean);
}

TEST(LearningCurve, OfNumbers) {
  const Dataset data = test::toy_numbers({.count = 60, .seed = 5});
  const auto points = learning_curve(two_kernels(), data, {}, five_folds({48}), "mse");
  EXPECT_GT(points[0].score.mean, 0);
}

TEST(LearningCurve, RejectsBadInput) {
  const Dataset data = test::toy_classes({.count = 50, .seed = 2}, 3);
  EXPECT_TRUE(fails_with("size = 41 is more than the 40 examples", [&] {
    learning_curve(two_kernels(), data, {}, five_folds({10, 41}));
  }));
  EXPECT_TRUE(fails_with("several examples", [&] {
    learning_curve(two_kernels(), data, {},
                   {.sizes = {}, .validation = {.split = SplitKind::leave_one_out}});
  }));
  EXPECT_TRUE(
      fails_with("no metric 'f2'", [&] { learning_curve(two_kernels(), data, {}, {}, "f2"); }));
}

}  // namespace
}  // namespace espalier
