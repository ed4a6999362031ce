#include "espalier/evaluate/regression.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/error.hpp"
#include "evaluate/check_lengths.hpp"
#include "evaluate/weighted.hpp"

namespace espalier {

namespace {

using Numbers = std::span<const double>;

double weighted_mean(Numbers values, Numbers weights) {
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) /
         std::accumulate(weights.begin(), weights.end(), 0.0);
}

// Not by the distances from the mean: with rounding they are not 0 even for equal values.
bool all_equal(Numbers values, Numbers weights) {
  std::optional<double> first;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (weights[i] == 0) continue;
    if (!first) first = values[i];
    if (values[i] != *first) return false;
  }
  return true;
}

double weighted_product(Numbers a, Numbers b, Numbers weights) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += weights[i] * a[i] * b[i];
  return sum;
}

/// Distances from the mean, and the largest of them.
struct Centred {
  std::vector<double>
      distances;  ///< relative to the largest: squares neither overflow nor underflow
  double largest = 0;

  /// Requires values that differ.
  Centred(Numbers values, Numbers weights) {
    const double centre = weighted_mean(values, weights);
    for (std::size_t i = 0; i < values.size(); ++i) {
      distances.push_back(weights[i] == 0 ? 0 : values[i] - centre);
      largest = std::max(largest, std::abs(distances.back()));
    }
    for (double& distance : distances) distance /= largest;
  }
};

/// Pearson's correlation, if neither is constant.
std::optional<double> correlation(Numbers a, Numbers b, Numbers weights) {
  if (all_equal(a, weights) || all_equal(b, weights)) return std::nullopt;
  const std::vector<double> x = Centred(a, weights).distances;
  const std::vector<double> y = Centred(b, weights).distances;
  const double xy = weighted_product(x, y, weights);
  return std::clamp(xy / (std::sqrt(weighted_product(x, x, weights)) *
                          std::sqrt(weighted_product(y, y, weights))),
                    -1.0, 1.0);
}

/// Ranks from 1; ties have their mean rank. A value of weight n counts as n ties.
std::vector<double> ranks(Numbers values, Numbers weights) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> out(values.size());
  double before = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double tied = 0;
    while (end < order.size() && values[order[end]] == values[order[begin]]) {
      tied += weights[order[end++]];
    }
    for (std::size_t at = begin; at < end; ++at) out[order[at]] = before + (1 + tied) / 2;
    before += tied;
  }
  return out;
}

void check(Numbers truth, Numbers predicted) {
  check_lengths(truth.size(), predicted.size());
  if (truth.empty()) throw Error("there are no examples to evaluate: check the test data");
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::isfinite(truth[i]) && std::isfinite(predicted[i])) continue;
    throw Error(std::string(std::isfinite(truth[i]) ? "the predicted" : "the true") +
                " number of example " + std::to_string(i) +
                " is infinite or not a number: correct it or leave the example out");
  }
}

}  // namespace

double mean_squared_error(const WeightedNumbers& numbers) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < numbers.truth.size(); ++i) {
    const double error = numbers.predicted[i] - numbers.truth[i];
    sum += numbers.weights[i] * (error * error);
    all += numbers.weights[i];
  }
  return sum / all;
}

double mean_absolute_error(const WeightedNumbers& numbers) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < numbers.truth.size(); ++i) {
    sum += numbers.weights[i] * std::abs(numbers.predicted[i] - numbers.truth[i]);
    all += numbers.weights[i];
  }
  return sum / all;
}

std::optional<double> r2(const WeightedNumbers& numbers) {
  const auto& [truth, predicted, weights] = numbers;
  if (all_equal(truth, weights)) return std::nullopt;
  const Centred centred(truth, weights);
  std::vector<double> errors;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    errors.push_back((predicted[i] - truth[i]) / centred.largest);
  }
  return 1 - weighted_product(errors, errors, weights) /
                 weighted_product(centred.distances, centred.distances, weights);
}

std::optional<double> pearson(const WeightedNumbers& numbers) {
  return correlation(numbers.truth, numbers.predicted, numbers.weights);
}

std::optional<double> spearman(const WeightedNumbers& numbers) {
  const auto& [truth, predicted, weights] = numbers;
  return correlation(ranks(truth, weights), ranks(predicted, weights), weights);
}

RegressionScores evaluate_regression(std::span<const double> truth,
                                     std::span<const double> predicted) {
  check(truth, predicted);
  const std::vector<double> ones(truth.size(), 1.0);
  const WeightedNumbers all{truth, predicted, ones};
  return {truth.size(), mean_squared_error(all), mean_absolute_error(all), r2(all), pearson(all),
          spearman(all)};
}

}  // namespace espalier
