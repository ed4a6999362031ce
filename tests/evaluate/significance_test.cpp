#include "espalier/evaluate/significance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "espalier/base/random.hpp"
#include "evaluate/distributions.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;

TEST(Distributions, LogGammaOfIntegersAndHalves) {
  double factorial = 1;
  for (int n = 1; n <= 20; ++n) {
    EXPECT_NEAR(log_gamma(n), std::log(factorial), 1e-13 * (1 + std::log(factorial)));
    factorial *= n;
  }
  EXPECT_NEAR(log_gamma(0.5), 0.5 * std::log(std::numbers::pi), 1e-14);
  EXPECT_NEAR(log_gamma(1000.5) - log_gamma(999.5), std::log(999.5), 1e-11);
}

/// P(|T| >= t) by Simpson's rule, after the substitution t = sqrt(df) tan(angle).
double t_by_integration(double t, double degrees) {
  constexpr int steps = 20000;
  const double begin = std::atan(t / std::sqrt(degrees)), end = std::numbers::pi / 2;
  const auto integral = [&](double from, double to) {
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
      const double angle = from + (to - from) * i / steps;
      const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * std::pow(std::max(0.0, std::cos(angle)), degrees - 1);
    }
    return sum * (to - from) / steps / 3;
  };
  return integral(begin, end) / integral(0, end);
}

TEST(Distributions, StudentT) {
  for (const double degrees : {1.0, 2.0, 4.0, 9.0, 30.0, 99.0}) {
    for (const double t : {0.01, 0.5, 1.0, 2.0, 3.5}) {
      const double expected = t_by_integration(t, degrees);
      EXPECT_NEAR(student_t_two_sided(t, degrees), expected, 1e-10) << t << " " << degrees;
      EXPECT_NEAR(student_t_critical(student_t_two_sided(t, degrees), degrees), t, 1e-9);
    }
  }
  EXPECT_NEAR(student_t_two_sided(1, 1), 0.5, 1e-14);  // Cauchy
  EXPECT_EQ(student_t_two_sided(0, 5), 1);
  EXPECT_NEAR(student_t_critical(0.05, 9), 2.262157162798205, 1e-12);
}

TEST(Distributions, Normal) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_below(1.959963984540054), 0.975, 1e-15);
  for (const double p : {1e-12, 0.01, 0.3, 0.5, 0.9}) {
    EXPECT_NEAR(normal_below(normal_quantile(p)), p, 1e-14);
  }
}

TEST(Mcnemar, CountsCoinTosses) {
  // Pascal's triangle, exact in doubles.
  std::vector<double> row = {1};
  for (std::uint64_t n = 1; n <= 50; ++n) {
    std::vector<double> next(n + 1, 1);
    for (std::size_t k = 1; k < n; ++k) next[k] = row[k - 1] + row[k];
    row = next;
    for (std::uint64_t k = 0; k <= n; ++k) {
      const std::uint64_t fewer = std::min(k, n - k);
      const double below =
          std::accumulate(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(fewer) + 1, 0.0) /
          std::ldexp(1, static_cast<int>(n));
      EXPECT_NEAR(mcnemar(k, n - k).p_value, std::min(1.0, 2 * below), 1e-13);
      EXPECT_EQ(mcnemar(k, n - k).p_value, mcnemar(n - k, k).p_value);
    }
  }
  EXPECT_EQ(mcnemar(0, 0).p_value, 1);
  EXPECT_LT(mcnemar(0, 2000).p_value, 1e-300);
}

/// Over all assignments of signs.
double wilcoxon_by_enumeration(std::vector<double> differences) {
  std::erase(differences, 0.0);
  const std::size_t n = differences.size();
  std::vector<double> ranks;
  for (const double d : differences) {
    double below = 0, equal = 0;
    for (const double e : differences) {
      below += std::abs(e) < std::abs(d);
      equal += std::abs(e) == std::abs(d);
    }
    ranks.push_back(below + (equal + 1) / 2);
  }
  double observed = 0;
  for (std::size_t i = 0; i < n; ++i) observed += differences[i] > 0 ? ranks[i] : 0;
  double less = 0, greater = 0;
  for (std::uint32_t signs = 0; signs < (1U << n); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (signs >> i & 1) != 0 ? ranks[i] : 0;
    less += sum <= observed;
    greater += sum >= observed;
  }
  return std::min(1.0, 2 * std::min(less, greater) / std::ldexp(1, static_cast<int>(n)));
}

TEST(Wilcoxon, MatchesEnumerationOfSigns) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> differences(1 + random.below(12));
    for (double& d : differences) d = static_cast<double>(random.below(9)) - 3;
    EXPECT_NEAR(wilcoxon(differences).p_value, wilcoxon_by_enumeration(differences), 1e-12);
    for (double& d : differences) d = random.uniform() - 0.4;
    EXPECT_NEAR(wilcoxon(differences).p_value, wilcoxon_by_enumeration(differences), 1e-12);
  }
  EXPECT_EQ(wilcoxon({}).p_value, 1);
  EXPECT_EQ(wilcoxon(std::vector<double>(5, 0.0)).p_value, 1);
}

TEST(Wilcoxon, TreatsRoundingErrorsAsTies) {
  // Differences of 0.1, which doubles do not have.
  const std::vector<double> noisy = {0.3 - 0.2, 0.9 - 0.8, 0.1, -(0.5 - 0.4), 0.7 - 0.6};
  EXPECT_EQ(wilcoxon(noisy).p_value, wilcoxon(std::vector<double>{1, 1, 1, -1, 1}).p_value);
}

TEST(Wilcoxon, ApproximatesWellBeyondTheExactLimit) {
  Random random(5);
  std::vector<double> differences;
  for (int i = 0; i < 200; ++i) differences.push_back(random.uniform() - 0.46);
  const double exact = wilcoxon(differences).p_value;
  differences.push_back(1e-5);  // the smallest rank
  EXPECT_NEAR(wilcoxon(differences).p_value, exact, 0.005);
}

TEST(CorrectedT, IsTheUsualTestWithoutCorrection) {
  const std::vector<double> differences = {0.02, -0.01, 0.03, 0.01, 0.04};
  // mean 0.018, standard deviation 0.0192354, t = 2.0924
  const auto plain = corrected_t_test(differences, 0);
  EXPECT_NEAR(plain->statistic, 0.018 / (std::sqrt(0.00037) / std::sqrt(5)), 1e-12);
  EXPECT_NEAR(plain->p_value, t_by_integration(plain->statistic, 4), 1e-10);
  const auto corrected = corrected_t_test(differences, 0.25);
  EXPECT_NEAR(corrected->statistic, 0.018 / std::sqrt(0.00037 * (0.2 + 0.25)), 1e-12);
  const auto interval = corrected_t_interval(differences, 0.25, 1 - corrected->p_value);
  EXPECT_NEAR(interval->low, 0, 1e-10);  // a test at its own level just rejects 0
  EXPECT_FALSE(corrected_t_test(std::vector<double>{0.1}, 0.25));
  EXPECT_FALSE(corrected_t_interval(std::vector<double>{0.1}, 0.25));
  EXPECT_FALSE(corrected_t_interval(std::vector<double>{0.1, 0.1}, 0.25));
  EXPECT_EQ(corrected_t_test(std::vector<double>{0, 0}, 0.25)->p_value, 1);
  EXPECT_EQ(corrected_t_test(std::vector<double>{0.5, 0.5}, 0.25)->p_value, 0);
  EXPECT_TRUE(fails_with("value 2", [] {
    corrected_t_test(std::vector<double>{0, std::nan("")}, 1);
  }));
}

/// A hypothesis is rejected if all intersections with others are, each by Bonferroni.
double holm_by_closed_testing(const std::vector<double>& p, std::size_t which) {
  double worst = 0;
  for (std::uint32_t set = 0; set < (1U << p.size()); ++set) {
    if ((set >> which & 1) == 0) continue;
    double count = 0, least = 1;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      ++count;
      least = std::min(least, p[i]);
    }
    worst = std::max(worst, std::min(1.0, count * least));
  }
  return worst;
}

TEST(Holm, IsTheClosureOfBonferroni) {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> p(1 + random.below(7));
    for (double& each : p) each = std::pow(random.uniform(), 3);
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_NEAR(adjusted[i], holm_by_closed_testing(p, i), 1e-14);
    }
  }
  EXPECT_TRUE(holm({}).empty());
}

}  // namespace
}  // namespace espalier
