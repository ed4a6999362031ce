#pragma once

#include <string>

#include "espalier/evaluate/metrics.hpp"
#include "espalier/model/model.hpp"

namespace espalier {

struct RankingOptions {
  std::string groups = {};    ///< the text that defines the groups: "name" or "member/name"
  std::string relevant = {};  ///< the relevant class; "": see usual_positive_class()
};

/// Outcomes of some examples of `data`, which have these predictions and targets; a data set of
/// one-class targets has none.
Outcomes outcomes_of(const Targets& targets, std::span<const std::uint32_t> examples,
                     const Predictions& predictions);

/// Predictions beside the labels of the data, which must have been predicted in the same order.
/// Classes unknown to the model count as errors. Throws Error for one-class models, which predict
/// no labels.
Outcomes outcomes_of(const Model& model, const Predictions& predictions, const Dataset& truth,
                     const RankingOptions& options = {});

/// Compares predictions with the labels of the data; see outcomes_of().
Evaluation evaluate(const Model& model, const Predictions& predictions, const Dataset& truth);

}  // namespace espalier
