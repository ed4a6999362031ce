#include "espalier/model/validation.hpp"

#include <algorithm>
#include <unordered_set>

#include "espalier/model/word_vectors.hpp"
#include "model/trial.hpp"

namespace espalier {

namespace {

ValidationResult run(const Trial& trial, const TrainOptions& options, const Validation& validation,
                     const Context& context,
                     const std::function<void(std::size_t, const Outcomes&)>& finished) {
  const Context quiet = without_progress(context);
  const std::vector<Split> splits = validation.splits_for(trial.problem.kernel);
  ValidationResult out;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    if (context.cancelled && context.cancelled()) throw Cancelled();
    const Predictions predictions = train_and_score(trial, splits[s], options, quiet);
    Outcomes outcomes = validation.outcomes(splits[s].test, predictions);
    report(context, s + 1, splits.size());
    if (finished) finished(s, outcomes);
    out.add(splits[s], std::move(outcomes), validation.groups.group_of, validation.options.split);
  }
  return out;
}

}  // namespace

std::vector<Split> make_splits(const Targets& targets, std::size_t examples,
                               const ValidationOptions& options,
                               std::span<const std::uint32_t> groups) {
  check_parameters(options);
  const bool grouped =
      std::unordered_set<std::uint32_t>(groups.begin(), groups.end()).size() < groups.size();
  if (options.split == SplitKind::leave_one_out) {
    return grouped ? leave_one_group_out(groups) : leave_one_out(examples);
  }
  const std::vector<std::uint32_t> strata = targets.task == Task::classification
                                                ? rarest_classes(targets.classes)
                                                : std::vector<std::uint32_t>(examples, 0);
  if (options.split == SplitKind::random) {
    const RandomSplitOptions random{options.train_fraction, options.repeats, options.seed};
    return grouped ? random_group_splits(strata, groups, random) : random_splits(strata, random);
  }
  std::vector<Split> out;
  for (std::size_t r = 0; r < options.repeats; ++r) {
    for (Split& split :
         grouped ? stratified_group_k_fold(strata, groups, options.folds, options.seed + r)
                 : stratified_k_fold(strata, options.folds, options.seed + r)) {
      out.push_back(std::move(split));
    }
  }
  return out;
}

ValidationResult cross_validate(const FittedKernel& kernel, const Dataset& data,
                                const TrainOptions& options, const ValidationOptions& validation,
                                const Context& context,
                                const std::function<void(std::size_t, const Outcomes&)>& finished) {
  const FittedKernel complete = load_word_vectors(kernel, {&data});
  const Validation all(data, options, validation);
  ValidationResult out;
  for_each_trial(
      {&complete, 1}, data, all.targets, options, context,
      [&](std::size_t, const Trial& trial) { out = run(trial, options, all, context, finished); });
  return out;
}

std::vector<ValidationResult> cross_validate(
    std::span<const FittedKernel> kernels, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context,
    const std::function<void(std::size_t, const ValidationResult&)>& finished) {
  const std::vector<FittedKernel> complete = load_word_vectors(kernels, {&data});
  const Validation all(data, options, validation);
  const Context quiet = without_progress(context);
  std::vector<ValidationResult> out;
  for_each_trial(complete, data, all.targets, options, quiet,
                 [&](std::size_t k, const Trial& trial) {
                   out.push_back(run(trial, options, all, quiet, {}));
                   if (finished) finished(k, out.back());
                   report(context, out.size(), kernels.size());
                 });
  return out;
}

}  // namespace espalier
