#include "espalier/evaluate/regression.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/error.hpp"
#include "evaluate/check_lengths.hpp"

namespace espalier {

namespace {

using Numbers = std::span<const double>;

double mean(Numbers values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Not by the distances from the mean: with rounding they are not 0 even for equal values.
bool all_equal(Numbers values) {
  return std::ranges::all_of(values, [&](double value) { return value == values[0]; });
}

double sum_of_squares(Numbers values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// Distances from the mean, and the largest of them.
struct Centred {
  std::vector<double>
      distances;  ///< relative to the largest: squares neither overflow nor underflow
  double largest = 0;

  /// Requires values that differ.
  explicit Centred(Numbers values) {
    const double centre = mean(values);
    for (const double value : values) {
      distances.push_back(value - centre);
      largest = std::max(largest, std::abs(value - centre));
    }
    for (double& distance : distances) distance /= largest;
  }
};

/// Pearson's correlation. Requires that neither is constant.
double correlation(Numbers a, Numbers b) {
  const std::vector<double> x = Centred(a).distances;
  const std::vector<double> y = Centred(b).distances;
  const double xy = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  return std::clamp(xy / (std::sqrt(sum_of_squares(x)) * std::sqrt(sum_of_squares(y))), -1.0, 1.0);
}

/// R^2. Requires that the truth is not constant.
double explained(Numbers truth, std::vector<double> errors) {
  const Centred centred(truth);
  for (double& error : errors) error /= centred.largest;
  return 1 - sum_of_squares(errors) / sum_of_squares(centred.distances);
}

/// Ranks from 1; ties have their mean rank.
std::vector<double> ranks(Numbers values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> out(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t at = begin; at < end; ++at) out[order[at]] = rank;
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

RegressionScores evaluate_regression(std::span<const double> truth,
                                     std::span<const double> predicted) {
  check(truth, predicted);
  std::vector<double> errors;
  double distances = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    errors.push_back(predicted[i] - truth[i]);
    distances += std::abs(errors.back());
  }
  RegressionScores out;
  const auto examples = static_cast<double>(truth.size());
  out.examples = truth.size();
  out.mean_squared_error = sum_of_squares(errors) / examples;
  out.mean_absolute_error = distances / examples;
  if (all_equal(truth)) return out;
  out.r2 = explained(truth, std::move(errors));
  if (all_equal(predicted)) return out;
  out.pearson = correlation(truth, predicted);
  out.spearman = correlation(ranks(truth), ranks(predicted));
  return out;
}

}  // namespace espalier
