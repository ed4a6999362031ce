#include "espalier/evaluate/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/failure.hpp"

namespace espalier {
namespace {

using Reals = std::vector<double>;

TEST(Spread, MatchesValuesComputedByHand) {
  const Spread s = spread(Reals{4, 1, 7});
  EXPECT_EQ(s.count, 3U);
  EXPECT_DOUBLE_EQ(s.mean, 4);
  EXPECT_DOUBLE_EQ(s.standard_deviation.value(), 3);  // sqrt((0 + 9 + 9) / 2)
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 7);
}

TEST(Spread, OfEqualValuesIsExactlyZero) {
  const Spread s = spread(Reals{0.1, 0.1, 0.1});
  EXPECT_EQ(s.mean, 0.1);
  EXPECT_EQ(s.standard_deviation, 0.0);
}

TEST(Spread, OfOneValueHasNoDeviation) {
  const Spread s = spread(Reals{0.5});
  EXPECT_EQ(s.mean, 0.5);
  EXPECT_FALSE(s.standard_deviation);
}

TEST(Spread, WithoutValuesIsAnError) {
  EXPECT_TRUE(test::fails_with("no values", [] { spread(Reals{}); }));
}

TEST(Spread, KeepsSmallDifferencesOfLargeValues) {
  const Spread s = spread(Reals{1e9 + 1, 1e9 + 2, 1e9 + 3});
  EXPECT_DOUBLE_EQ(s.standard_deviation.value(), 1);
}

TEST(Spread, FieldsListsAllMembers) {
  int fields = 0;
  Spread().fields([&](const char*, const auto&) { ++fields; });
  EXPECT_EQ(fields, 5);
}

}  // namespace
}  // namespace espalier
