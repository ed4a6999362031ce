#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "explain/exponential_fit.hpp"
#include "explain/histogram.hpp"
#include "explain/quantiles.hpp"
#include "explain/scale.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

TEST(ExponentialFit, RecoversTheDecay) {
  std::vector<HeightMean> means;
  for (std::uint32_t h = 0; h < 10; ++h) means.push_back({h, 0.8 * std::pow(0.42, h), 1 + 7 * h});
  means.push_back({10, 0, 1000});  // says nothing
  const auto fit = fit_exponential(means);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->decay, 0.42, 1e-12);
  EXPECT_NEAR(fit->start, 0.8, 1e-12);
}

TEST(ExponentialFit, WeightsHeightsByTheirSubtrees) {
  const std::vector<HeightMean> means = {{0, 1, 1000000}, {1, 0.5, 1000000}, {2, 1, 1}};
  EXPECT_NEAR(fit_exponential(means)->decay, 0.5, 1e-3);
}

TEST(ExponentialFit, NeedsTwoHeights) {
  EXPECT_FALSE(fit_exponential({}));
  EXPECT_FALSE(fit_exponential(std::vector<HeightMean>{{3, 0.5, 10}, {4, 0, 10}}));
}

TEST(Histogram, CountsEveryValueOnce) {
  test::Random random(1);
  for (const bool whole : {true, false}) {
    for (int round = 0; round < 200; ++round) {
      const std::size_t spread = std::size_t{1} << random.below(24);
      std::vector<double> values(1 + random.below(50));
      for (double& value : values) {
        value = static_cast<double>(random.below(spread)) * (whole ? 1 : -0.37);
      }
      const Histogram histogram = make_histogram(values, whole);
      ASSERT_LE(histogram.bins.size(), 61);
      std::uint64_t counted = 0;
      for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
        const Bin& bin = histogram.bins[i];
        ASSERT_LT(bin.low, bin.high);
        if (i > 0) {
          ASSERT_EQ(bin.low, histogram.bins[i - 1].high);
        }
        const auto inside = [&](double v) { return v >= bin.low && v < bin.high; };
        ASSERT_EQ(bin.count, std::ranges::count_if(values, inside));
        counted += bin.count;
      }
      ASSERT_EQ(counted, values.size());
    }
  }
}

TEST(Histogram, UsesGrowingBinsForWideRanges) {
  EXPECT_TRUE(make_histogram(std::vector<double>{1, 2, 3, 100000}, true).logarithmic);
  EXPECT_FALSE(make_histogram(std::vector<double>{80, 90, 100, 120}, true).logarithmic);
}

TEST(Scale, HasRoundTicks) {
  EXPECT_EQ(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(0, 2, 8, true), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(ticks(0.61, 0.93, 3), (std::vector<double>{0.8}));
  EXPECT_EQ(tick_text(1500), "1,500");
  EXPECT_EQ(tick_text(0.3), "0.3");
  EXPECT_EQ(power_ticks(1e-6, 1, 7).size(), 7);
}

TEST(Quantiles, InterpolateLinearly) {
  const std::vector<double> values = {1, 2, 3, 4};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.5), 2.5);
  EXPECT_EQ(quantile(values, 1), 4);
}

}  // namespace
}  // namespace espalier
