#include "espalier/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace espalier {
namespace {

// The expected values come from the definition of SplitMix64, written down once more in Python.

TEST(Random, IsSplitMix64) {
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
        16408922859458223821U}) {
    EXPECT_EQ(random.next(), expected);
  }
}

TEST(Random, GivesTheSameEverywhere) {
  Random dice(7);
  for (const std::uint64_t expected : {3U, 0U, 0U, 3U, 4U, 3U, 4U, 0U, 5U, 5U, 1U, 4U}) {
    EXPECT_EQ(dice.below(6), expected);
  }
  Random share(7);
  EXPECT_EQ(share.uniform(), 0.3898297483912715);
  EXPECT_EQ(share.uniform(), 0.01678829452815611);
  std::vector<int> items(10);
  std::iota(items.begin(), items.end(), 0);
  Random(42).shuffle(std::span(items));
  EXPECT_EQ(items, (std::vector{0, 9, 5, 8, 6, 4, 7, 2, 1, 3}));
}

TEST(Random, DrawsEachNumberBelowABoundEquallyOften) {
  Random random(3);
  constexpr std::uint64_t bound = 7;
  constexpr std::size_t draws = 70'000;
  std::vector<std::size_t> counts(bound);
  for (std::size_t i = 0; i < draws; ++i) ++counts.at(random.below(bound));
  // Here and below: five standard deviations.
  for (const std::size_t count : counts) EXPECT_NEAR(static_cast<double>(count), 10'000, 470);
}

TEST(Random, IsUnbiasedForHugeBounds) {
  // 3/4 of 2^64: by the remainder alone the lowest third would come half of the time.
  constexpr std::uint64_t bound = std::uint64_t{3} << 62;
  Random random(5);
  int low = 0;
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t number = random.below(bound);
    ASSERT_LT(number, bound);
    if (number < bound / 3) ++low;
  }
  EXPECT_NEAR(low, 10'000, 410);
}

TEST(Random, BelowOneIsZero) {
  Random random(0);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, UniformCoversTheUnitInterval) {
  Random random(11);
  double sum = 0, least = 1, most = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double number = random.uniform();
    sum += number;
    least = std::min(least, number);
    most = std::max(most, number);
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(least, 0.001);
  EXPECT_LT(most, 1);
  EXPECT_GT(most, 0.999);
  EXPECT_NEAR(sum / 20'000, 0.5, 0.01);
}

TEST(Random, ShufflesIntoEachOrderEquallyOften) {
  Random random(1);
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < 24'000; ++i) {
    std::vector items = {1, 2, 3, 4};
    random.shuffle(std::span(items));
    ++counts[items];
  }
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) {
    EXPECT_NEAR(count, 1'000, 155) << testing::PrintToString(order);
  }
}

TEST(Random, ShufflesNothing) {
  std::vector<int> items;
  Random random(1);
  random.shuffle(std::span(items));
  EXPECT_TRUE(items.empty());
}

}  // namespace
}  // namespace espalier
