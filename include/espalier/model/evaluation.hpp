#pragma once

#include <optional>
#include <string>

#include "espalier/evaluate/classification.hpp"
#include "espalier/evaluate/ranking.hpp"
#include "espalier/evaluate/regression.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

/// Quality of predictions; the members that apply to the task are present.
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

/// Compares predictions with the labels of the data. Classes unknown to the model count as errors.
/// Throws Error for one-class models, which predict no labels.
Evaluation evaluate(const Model& model, const Predictions& predictions, const Dataset& truth);

struct RankingOptions {
  std::string groups;    ///< the text that defines the groups: "name" or "member/name"
  std::string relevant;  ///< the relevant class; "": the one named 1, +1, true, yes or relevant
};

/// Evaluates the ranking of the examples of each group by score.
RankingScores evaluate_ranking(const Model& model, const Predictions& predictions,
                               const Dataset& truth, const RankingOptions& options);

/// A metric of an evaluation, higher is better: accuracy, macro_precision, macro_recall, macro_f1,
/// micro_f1, r2, pearson, spearman. "" is accuracy, micro_f1 for multi-label data, or r2.
struct Metric {
  std::string name;
  double value = 0;
};
/// Throws Error with a suggestion if there is no such metric.
void check_metric(const std::string& name);
Metric metric(const Evaluation& evaluation, const std::string& name = "");

}  // namespace espalier
