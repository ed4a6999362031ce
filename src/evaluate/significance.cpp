#include "espalier/evaluate/significance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "espalier/base/error.hpp"
#include "espalier/evaluate/spread.hpp"
#include "evaluate/distributions.hpp"

namespace espalier {

namespace {

void check_finite(std::span<const double> differences) {
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (std::isfinite(differences[i])) continue;
    throw Error("value " + std::to_string(i + 1) +
                " to be tested is infinite or not a number: leave it out");
  }
}

/// The standard error of a mean over splits (Nadeau & Bengio): training sets that overlap make it
/// larger than that of independent values.
double corrected_error(const Spread& spread, double test_ratio) {
  return *spread.standard_deviation * std::sqrt(1 / static_cast<double>(spread.count) + test_ratio);
}

/// Differences that are equal but for rounding must be ties: the ranks of multiples of this.
double rounding_unit(std::span<const double> differences) {
  double largest = 0;
  for (const double d : differences) largest = std::max(largest, std::abs(d));
  return largest * 1e-9;
}

/// Twice the mean ranks of the absolute differences other than 0, with the signs of these.
std::vector<std::int64_t> signed_ranks(std::span<const double> differences) {
  const double unit = rounding_unit(differences);
  std::vector<double> values;
  for (const double d : differences) {
    if (d != 0 && std::round(d / unit) != 0) values.push_back(std::round(d / unit));
  }
  std::ranges::sort(values, {}, [](double v) { return std::abs(v); });
  std::vector<std::int64_t> out;
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && std::abs(values[end]) == std::abs(values[begin])) ++end;
    for (std::size_t at = begin; at < end; ++at) {
      const auto rank = static_cast<std::int64_t>(begin + 1 + end);
      out.push_back(values[at] < 0 ? -rank : rank);
    }
  }
  return out;
}

/// P(sum of the ranks with random signs that are positive <= w); all twice the ranks.
double signed_rank_below(std::span<const std::int64_t> ranks, std::int64_t w) {
  std::vector<double> probability = {1};
  for (const std::int64_t signed_rank : ranks) {
    const auto rank = static_cast<std::size_t>(std::abs(signed_rank));
    std::vector<double> next(probability.size() + rank, 0);
    for (std::size_t s = 0; s < probability.size(); ++s) {
      next[s] += probability[s] / 2;
      next[s + rank] += probability[s] / 2;
    }
    probability = std::move(next);
  }
  return std::accumulate(probability.begin(), probability.begin() + w + 1, 0.0);
}

/// The normal approximation; the variance takes ties into account.
double signed_rank_normal(std::span<const std::int64_t> ranks, double w) {
  double mean = 0, variance = 0;
  for (const std::int64_t rank : ranks) {
    const double half = std::abs(static_cast<double>(rank)) / 2;
    mean += half / 2;
    variance += half * half / 4;
  }
  return normal_two_sided((w - mean) / std::sqrt(variance));
}

}  // namespace

TestResult mcnemar(std::uint64_t only_a, std::uint64_t only_b) {
  const std::uint64_t fewer = std::min(only_a, only_b);
  const double below = fair_binomial_below(fewer, only_a + only_b);
  return {static_cast<double>(fewer), only_a == only_b ? 1 : std::min(1.0, 2 * below)};
}

std::optional<TestResult> corrected_t_test(std::span<const double> differences, double test_ratio) {
  check_finite(differences);
  if (differences.size() < 2) return std::nullopt;
  const Spread found = spread(differences);
  if (found.mean == 0) return TestResult{0, 1};
  const double error = corrected_error(found, test_ratio);
  const double t = error == 0 ? std::copysign(std::numeric_limits<double>::infinity(), found.mean)
                              : found.mean / error;
  return TestResult{t, student_t_two_sided(t, static_cast<double>(found.count - 1))};
}

std::optional<Interval> corrected_t_interval(std::span<const double> values, double test_ratio,
                                             double confidence) {
  check_finite(values);
  if (values.size() < 2) return std::nullopt;
  const Spread found = spread(values);
  if (*found.standard_deviation == 0) return std::nullopt;
  const double reach = corrected_error(found, test_ratio) *
                       student_t_critical(1 - confidence, static_cast<double>(found.count - 1));
  return Interval{found.mean - reach, found.mean + reach};
}

TestResult wilcoxon(std::span<const double> differences) {
  check_finite(differences);
  const std::vector<std::int64_t> ranks = signed_ranks(differences);
  std::int64_t positive = 0, all = 0;
  for (const std::int64_t rank : ranks) {
    positive += std::max<std::int64_t>(rank, 0);
    all += std::abs(rank);
  }
  const std::int64_t smaller = std::min(positive, all - positive);
  const double statistic = static_cast<double>(smaller) / 2;
  if (ranks.empty()) return {0, 1};
  constexpr std::size_t most_exact = 200;
  if (ranks.size() > most_exact) return {statistic, signed_rank_normal(ranks, statistic)};
  return {statistic, std::min(1.0, 2 * signed_rank_below(ranks, smaller))};
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> out(p_values.size());
  double largest = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const auto left = static_cast<double>(order.size() - at);
    largest = std::max(largest, std::min(1.0, left * p_values[order[at]]));
    out[order[at]] = largest;
  }
  return out;
}

}  // namespace espalier
