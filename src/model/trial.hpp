#pragma once

#include <algorithm>

#include "espalier/engine/discriminance.hpp"
#include "espalier/model/validation.hpp"
#include "model/learner.hpp"

namespace espalier {

/// What is cross-validated; `learner` is null for a kernel that learns its weights on each split.
struct Trial {
  LearningProblem problem;
  PreparedLearner* learner;
};

/// What all trials of a data set have in common.
struct Validation {
  const Targets targets;
  const ValidationOptions& options;
  const ExampleGroups groups;
  std::vector<std::uint32_t> ranked_groups = {};  ///< per example, or empty
  std::uint32_t positive = none;

  Validation(const Dataset& data, const TrainOptions& training, const ValidationOptions& how);

  std::vector<Split> splits_for(const FittedKernel& kernel) const {
    return splits_for(kernel, targets, groups.group_of);
  }
  /// The same of examples with other targets and groups.
  std::vector<Split> splits_for(const FittedKernel& kernel, const Targets& of,
                                std::span<const std::uint32_t> grouped) const;
  Outcomes outcomes(std::span<const std::uint32_t> examples, const Predictions& predictions) const;
};

/// Trains on one part of the data and predicts the other.
Predictions train_and_score(const Trial& trial, const Split& split, const TrainOptions& options,
                            const Context& context);

Context without_progress(Context context);
void report(const Context& context, std::size_t done, std::size_t all);

/// Calls visit(k, trial) for each kernel.
template <class Visit>
void for_each_trial(std::span<const FittedKernel> kernels, const Dataset& data,
                    const Targets& targets, const TrainOptions& options, const Context& context,
                    Visit&& visit) {
  for (std::size_t k = 0; k < kernels.size();) {
    if (needs_learning(kernels[k])) {
      visit(k, Trial{{kernels[k], data, targets}, nullptr});
      ++k;
      continue;
    }
    const auto rest = kernels.subspan(k);
    const auto fixed = rest.first(
        static_cast<std::size_t>(std::ranges::find_if(rest, needs_learning) - rest.begin()));
    for (const auto& learner : prepare({fixed, data, targets, options, context})) {
      visit(k, Trial{{kernels[k], data, targets}, learner.get()});
      ++k;
    }
  }
}

}  // namespace espalier
