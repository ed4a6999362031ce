#pragma once

#include <optional>
#include <span>
#include <vector>

#include "espalier/evaluate/metrics.hpp"

namespace espalier {

// Metrics as functions of weights; metrics.cpp has their table.

WeightedMetric weighted_accuracy(const Outcomes& outcomes);

/// Weighted counts of a class.
struct WeightedTally {
  double truth = 0;
  double predicted = 0;
  double both = 0;
};
/// A score of the weighted counts of all classes.
using TallyScore = double (*)(std::span<const WeightedTally> tallies);
WeightedMetric weighted_tally_score(const Outcomes& outcomes, TallyScore score);
WeightedMetric weighted_f1(const Outcomes& outcomes, std::uint32_t c);

double macro_precision(std::span<const WeightedTally> tallies);
double macro_recall(std::span<const WeightedTally> tallies);
double macro_f1(std::span<const WeightedTally> tallies);
double micro_f1(std::span<const WeightedTally> tallies);

/// Of a class against the others, or with `none` the mean over the classes that occur.
WeightedMetric weighted_roc_auc(const Outcomes& outcomes, std::uint32_t c);
WeightedMetric weighted_average_precision(const Outcomes& outcomes, std::uint32_t c);

/// Scores of one ranked group; see RankingScores.
struct GroupScores {
  std::uint32_t first = 0;    ///< an item of the group, by index
  bool has_relevant = false;  ///< otherwise there are no scores
  double average_precision = 0;
  double reciprocal_rank = 0;
  double precision = 0;  ///< at k
};
/// Throws Error if a score is not a number.
std::vector<GroupScores> score_groups(std::span<const RankedItem> items, std::size_t k);

WeightedMetric weighted_ranking(const Outcomes& outcomes, double GroupScores::*score,
                                std::size_t k = 1);

/// True and predicted numbers and how often each counts.
struct WeightedNumbers {
  std::span<const double> truth;
  std::span<const double> predicted;
  std::span<const double> weights;
};
double mean_squared_error(const WeightedNumbers& numbers);
double mean_absolute_error(const WeightedNumbers& numbers);
std::optional<double> r2(const WeightedNumbers& numbers);
std::optional<double> pearson(const WeightedNumbers& numbers);
std::optional<double> spearman(const WeightedNumbers& numbers);

}  // namespace espalier
