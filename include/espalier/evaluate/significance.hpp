#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace espalier {

/// A confidence interval.
struct Interval {
  double low = 0;
  double high = 0;

  void fields(auto&& field) const {
    field("low", low);
    field("high", high);
  }
};

/// A test statistic and its two-sided p-value.
struct TestResult {
  double statistic = 0;
  double p_value = 1;

  void fields(auto&& field) const {
    field("statistic", statistic);
    field("p_value", p_value);
  }
};

/// McNemar's exact test of two classifiers on the same examples: `only_a` were classified correctly
/// by the first alone, `only_b` by the second alone. Two-sided binomial test; the statistic is the
/// smaller count.
TestResult mcnemar(std::uint64_t only_a, std::uint64_t only_b);

/// The corrected resampled t-test (Nadeau & Bengio 2003) of differences between two methods on the
/// same splits, whose training sets overlap. `test_ratio` is the number of tested examples for each
/// one that was trained on. Absent for fewer than two differences; if all of them are equal, p is 1
/// or 0. Throws Error if a number is not finite.
std::optional<TestResult> corrected_t_test(std::span<const double> differences, double test_ratio);

/// The confidence interval of the mean over splits that belongs to corrected_t_test(). Absent for
/// fewer than two values, and if all of them are equal, which says nothing about other splits.
std::optional<Interval> corrected_t_interval(std::span<const double> values, double test_ratio,
                                             double confidence = 0.95);

/// Wilcoxon's signed-rank test. Differences of 0 are left out; ties have their mean rank. The
/// statistic is the smaller sum of ranks. Exact for up to 200 differences, also with ties; the
/// normal approximation beyond. O(n^3) when exact. Throws Error if a number is not finite.
TestResult wilcoxon(std::span<const double> differences);

/// Holm's correction: the p-values of several tests, adjusted so that the chance of any false alarm
/// is at most the level that they are compared with.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace espalier
