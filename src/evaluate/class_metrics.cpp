// Metrics of classification as functions of weights.

#include <algorithm>
#include <limits>
#include <numeric>

#include "espalier/base/error.hpp"
#include "evaluate/weighted.hpp"

namespace espalier {

namespace {

double divided(double part, double whole) { return whole == 0 ? 0 : part / whole; }

double precision_of(const WeightedTally& t) { return divided(t.both, t.predicted); }
double recall_of(const WeightedTally& t) { return divided(t.both, t.truth); }
double f1_of(const WeightedTally& t) { return divided(2 * t.both, t.truth + t.predicted); }

/// The mean over the classes that occur in truth or prediction.
double mean_of(std::span<const WeightedTally> tallies, double (*score)(const WeightedTally&)) {
  double sum = 0, count = 0;
  for (const WeightedTally& tally : tallies) {
    if (tally.truth + tally.predicted == 0) continue;
    sum += score(tally);
    ++count;
  }
  return divided(sum, count);
}

/// One class of one example.
struct Mark {
  std::uint32_t example;
  std::uint32_t c;
  bool truth;
  bool predicted;
};

std::vector<Mark> marks_of(const Outcomes& outcomes) {
  std::vector<Mark> out;
  for (std::uint32_t i = 0; i < outcomes.size(); ++i) {
    for (const std::uint32_t c : outcomes.truth[i]) {
      out.push_back({i, c, true, outcomes.predicted.has(i, c)});
    }
    for (const std::uint32_t c : outcomes.predicted[i]) {
      if (!outcomes.truth.has(i, c)) out.push_back({i, c, false, true});
    }
  }
  return out;
}

/// Examples by descending score of a class; `end` is where a run of equal scores ends.
struct ScoreOrder {
  struct Place {
    std::uint32_t example;
    bool positive;
    bool end;
  };
  std::vector<Place> places;

  ScoreOrder(const Outcomes& outcomes, std::uint32_t c) {
    const auto score = [&](std::uint32_t i) {
      return c < outcomes.scores[i].size() ? outcomes.scores[i][c]
                                           : -std::numeric_limits<double>::infinity();
    };
    std::vector<std::uint32_t> order(outcomes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater<>(), score);
    for (std::size_t at = 0; at < order.size(); ++at) {
      const bool end = at + 1 == order.size() || score(order[at]) != score(order[at + 1]);
      places.push_back({order[at], outcomes.truth.has(order[at], c), end});
    }
  }
};

/// The probability that a positive example has a higher score than a negative one; ties count half.
std::optional<double> roc_auc(const ScoreOrder& order, std::span<const double> weights) {
  double positive = 0, negative = 0, tied_positive = 0, tied_negative = 0, area = 0;
  for (const auto& [example, is_positive, end] : order.places) {
    (is_positive ? tied_positive : tied_negative) += weights[example];
    if (!end) continue;
    area += tied_negative * (positive + tied_positive / 2);
    positive += tied_positive;
    negative += tied_negative;
    tied_positive = tied_negative = 0;
  }
  if (positive == 0 || negative == 0) return std::nullopt;
  return area / (positive * negative);
}

/// The sum over thresholds of precision times the recall gained, as in scikit-learn.
std::optional<double> average_precision(const ScoreOrder& order, std::span<const double> weights) {
  double seen = 0, found = 0, before = 0, sum = 0;
  for (const auto& [example, is_positive, end] : order.places) {
    seen += weights[example];
    if (is_positive) found += weights[example];
    if (!end || seen == 0) continue;
    sum += (found - before) * (found / seen);
    before = found;
  }
  if (found == 0) return std::nullopt;
  return sum / found;
}

using CurveScore = std::optional<double> (*)(const ScoreOrder&, std::span<const double>);

WeightedMetric curve_metric(const Outcomes& outcomes, std::uint32_t c, CurveScore score) {
  for (std::size_t i = 0; i < outcomes.scores.size(); ++i) {
    for (const double each : outcomes.scores[i]) {
      if (each == each) continue;
      throw Error("a score of example " + std::to_string(i + 1) +
                  " is not a number: look for nan in what was predicted");
    }
  }
  if (c != none) {
    return [order = ScoreOrder(outcomes, c), score](std::span<const double> weights) {
      return score(order, weights);
    };
  }
  std::vector<ScoreOrder> orders;
  const std::vector<std::size_t> sizes = outcomes.truth.class_sizes();
  for (std::uint32_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] > 0) orders.emplace_back(outcomes, k);
  }
  return [orders = std::move(orders),
          score](std::span<const double> weights) -> std::optional<double> {
    double sum = 0, count = 0;
    for (const ScoreOrder& order : orders) {
      const auto occurs = [&](const ScoreOrder::Place& place) {
        return place.positive && weights[place.example] > 0;
      };
      if (std::ranges::none_of(order.places, occurs)) continue;
      const auto one = score(order, weights);
      if (!one) return std::nullopt;
      sum += *one;
      ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / count;
  };
}

}  // namespace

WeightedMetric weighted_accuracy(const Outcomes& outcomes) {
  std::vector<std::uint8_t> right;
  for (std::size_t i = 0; i < outcomes.size(); ++i) right.push_back(outcomes.correct(i) ? 1 : 0);
  return [right = std::move(right)](std::span<const double> weights) -> std::optional<double> {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      all += weights[i];
      sum += right[i] == 1 ? weights[i] : 0;
    }
    if (all == 0) return std::nullopt;
    return sum / all;
  };
}

WeightedMetric weighted_tally_score(const Outcomes& outcomes, TallyScore score) {
  return [marks = marks_of(outcomes), classes = outcomes.classes.size(),
          score](std::span<const double> weights) -> std::optional<double> {
    std::vector<WeightedTally> tallies(classes);
    for (const auto& [example, c, truth, predicted] : marks) {
      const double weight = weights[example];
      if (truth) tallies[c].truth += weight;
      if (predicted) tallies[c].predicted += weight;
      if (truth && predicted) tallies[c].both += weight;
    }
    return score(tallies);
  };
}

WeightedMetric weighted_f1(const Outcomes& outcomes, std::uint32_t c) {
  std::vector<Mark> marks = marks_of(outcomes);
  std::erase_if(marks, [c](const Mark& mark) { return mark.c != c; });
  return [marks = std::move(marks)](std::span<const double> weights) -> std::optional<double> {
    WeightedTally tally;
    for (const Mark& mark : marks) {
      const double weight = weights[mark.example];
      if (mark.truth) tally.truth += weight;
      if (mark.predicted) tally.predicted += weight;
      if (mark.truth && mark.predicted) tally.both += weight;
    }
    return f1_of(tally);
  };
}

double macro_precision(std::span<const WeightedTally> tallies) {
  return mean_of(tallies, precision_of);
}
double macro_recall(std::span<const WeightedTally> tallies) { return mean_of(tallies, recall_of); }
double macro_f1(std::span<const WeightedTally> tallies) { return mean_of(tallies, f1_of); }

double micro_f1(std::span<const WeightedTally> tallies) {
  WeightedTally all;
  for (const WeightedTally& tally : tallies) {
    all.truth += tally.truth;
    all.predicted += tally.predicted;
    all.both += tally.both;
  }
  return f1_of(all);
}

WeightedMetric weighted_roc_auc(const Outcomes& outcomes, std::uint32_t c) {
  return curve_metric(outcomes, c, roc_auc);
}

WeightedMetric weighted_average_precision(const Outcomes& outcomes, std::uint32_t c) {
  return curve_metric(outcomes, c, average_precision);
}

}  // namespace espalier
