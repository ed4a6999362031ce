#pragma once

#include <optional>
#include <string>

#include "espalier/evaluate/classification.hpp"
#include "espalier/evaluate/ranking.hpp"
#include "espalier/evaluate/regression.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

/// How good predictions are: what fits the task is there.
struct Evaluation {
  std::optional<ClassificationScores> classification;
  std::optional<RegressionScores> regression;
  std::optional<RankingScores> ranking;

  void fields(auto&& field) const {
    if (classification) field("classification", *classification);
    if (regression) field("regression", *regression);
    if (ranking) field("ranking", *ranking);
  }
};

/// Compares predictions with the labels of the data. Classes that the model does not know count as
/// errors. Outliers have no truth to compare with: an Error.
Evaluation evaluate(const Model& model, const Predictions& predictions, const Dataset& truth);

struct RankingOptions {
  std::string
      groups;  ///< the text that examples of one group have in common: "name", "member/name"
  std::string relevant;  ///< the class to be found; "": the one named 1, +1, true, yes or relevant
};

/// How well the scores order the examples within each group.
RankingScores evaluate_ranking(const Model& model, const Predictions& predictions,
                               const Dataset& truth, const RankingOptions& options);

/// One number out of an evaluation, the larger the better: accuracy, macro_precision,
/// macro_recall, macro_f1, micro_f1, r2, pearson, spearman; "" is accuracy, micro_f1 where examples
/// have several classes, or r2.
struct Metric {
  std::string name;
  double value = 0;
};
/// Throws Error with the nearest name if there is no such metric.
void check_metric(const std::string& name);
Metric metric(const Evaluation& evaluation, const std::string& name = "");

}  // namespace espalier
