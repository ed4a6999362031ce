#include "espalier/model/validation.hpp"

#include <algorithm>

#include "espalier/model/word_vectors.hpp"
#include "model/learned_kernel.hpp"
#include "model/learner.hpp"

namespace espalier {

namespace {

/// True and predicted labels of some examples.
class Record {
 public:
  explicit Record(const Targets& targets)
      : targets_(targets), truth_(targets.names.size()), predicted_(targets.names.size()) {}

  void add(std::span<const std::uint32_t> examples, const Predictions& predictions) {
    for (std::size_t t = 0; t < examples.size(); ++t) {
      if (targets_.task == Task::regression) {
        true_numbers_.push_back(targets_.numbers[examples[t]]);
        numbers_.push_back(predictions.scores(t, 0));
      } else {
        truth_.add(targets_.classes[examples[t]]);
        predicted_.add(predictions.classes[t]);
      }
    }
  }
  Evaluation evaluation() const {
    Evaluation out;
    if (targets_.task == Task::regression) {
      out.regression = evaluate_regression(true_numbers_, numbers_);
    } else {
      out.classification = evaluate_classification(truth_, predicted_, targets_.names);
    }
    return out;
  }

 private:
  const Targets& targets_;
  ClassLists truth_;
  ClassLists predicted_;
  std::vector<double> true_numbers_;
  std::vector<double> numbers_;
};

Context without_progress(Context context) {
  context.progress = nullptr;
  return context;
}

void report(const Context& context, std::size_t done, std::size_t all) {
  if (context.progress) context.progress(static_cast<double>(done) / static_cast<double>(all));
}

/// What is cross-validated; `learner` is null for a kernel that learns its weights on each split.
struct Trial {
  LearningProblem problem;
  PreparedLearner* learner;
};

/// Trains on one part of the data and predicts the other.
Predictions train_and_score(const Trial& trial, const Split& split, const TrainOptions& options,
                            const Context& context) {
  const auto& [kernel, data, targets] = trial.problem;
  if (trial.learner != nullptr) {
    trial.learner->train(split.train, options, context);
    return trial.learner->score(split.test, context);
  }
  const LearnedKernel learned = learn_kernel(kernel, data, targets, split.train, options.seed);
  const auto learners = prepare({{&learned.kernel, 1}, data, targets, options, context});
  learners[0]->train(learned.examples, options, context);
  return learners[0]->score(split.test, context);
}

ValidationResult run(const Trial& trial, const TrainOptions& options, std::span<const Split> splits,
                     SplitKind split, const Context& context,
                     const std::function<void(std::size_t, const Evaluation&)>& finished) {
  const Targets& targets = trial.problem.targets;
  const Context quiet = without_progress(context);
  ValidationResult out;
  Record all(targets);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    if (context.cancelled && context.cancelled()) throw Cancelled();
    const Predictions predictions = train_and_score(trial, splits[s], options, quiet);
    Record one(targets);
    one.add(splits[s].test, predictions);
    all.add(splits[s].test, predictions);
    const Evaluation evaluation = one.evaluation();
    if (split != SplitKind::leave_one_out) out.splits.push_back(evaluation);
    report(context, s + 1, splits.size());
    if (finished) finished(s, evaluation);
  }
  out.pooled = all.evaluation();
  return out;
}

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

std::vector<Split> splits_for(const FittedKernel& kernel, const Targets& targets,
                              std::size_t examples, ValidationOptions options) {
  if (options.equal_parts) options.train_fraction = needs_learning(kernel) ? 2.0 / 3 : 0.5;
  return make_splits(targets, examples, options);
}

Targets targets_of(const Dataset& data, const TrainOptions& options) {
  Targets out = training_targets(data, options);
  if (out.task == Task::one_class)
    throw Error("a one-class model cannot be cross-validated: it has no labels to predict");
  return out;
}

}  // namespace

std::vector<Split> make_splits(const Targets& targets, std::size_t examples,
                               const ValidationOptions& options) {
  check_parameters(options);
  if (options.split == SplitKind::leave_one_out) return leave_one_out(examples);
  const std::vector<std::uint32_t> strata = targets.task == Task::classification
                                                ? rarest_classes(targets.classes)
                                                : std::vector<std::uint32_t>(examples, 0);
  if (options.split == SplitKind::random) {
    return random_splits(strata, {options.train_fraction, options.repeats, options.seed});
  }
  std::vector<Split> out;
  for (std::size_t r = 0; r < options.repeats; ++r) {
    for (Split& split : stratified_k_fold(strata, options.folds, options.seed + r)) {
      out.push_back(std::move(split));
    }
  }
  return out;
}

Spread ValidationResult::spread_of(const std::string& name) const {
  // The same metric for all: a split may lack multi-label examples by chance.
  const std::string same = metric(pooled, name).name;
  std::vector<double> values;
  for (const Evaluation& evaluation : splits) values.push_back(metric(evaluation, same).value);
  if (splits.empty()) values.push_back(metric(pooled, same).value);
  return spread(values);
}

ValidationResult cross_validate(
    const FittedKernel& kernel, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context,
    const std::function<void(std::size_t, const Evaluation&)>& finished) {
  const FittedKernel complete = load_word_vectors(kernel, {&data});
  const Targets targets = targets_of(data, options);
  const auto splits = splits_for(complete, targets, data.size(), validation);
  ValidationResult out;
  for_each_trial({&complete, 1}, data, targets, options, context,
                 [&](std::size_t, const Trial& trial) {
                   out = run(trial, options, splits, validation.split, context, finished);
                 });
  return out;
}

std::vector<ValidationResult> cross_validate(
    std::span<const FittedKernel> kernels, const Dataset& data, const TrainOptions& options,
    const ValidationOptions& validation, const Context& context,
    const std::function<void(std::size_t, const ValidationResult&)>& finished) {
  const std::vector<FittedKernel> complete = load_word_vectors(kernels, {&data});
  kernels = complete;
  const Targets targets = targets_of(data, options);
  const Context quiet = without_progress(context);
  std::vector<ValidationResult> out;
  for_each_trial(kernels, data, targets, options, quiet, [&](std::size_t k, const Trial& trial) {
    const auto splits = splits_for(kernels[k], targets, data.size(), validation);
    out.push_back(run(trial, options, splits, validation.split, quiet, {}));
    if (finished) finished(k, out.back());
    report(context, out.size(), kernels.size());
  });
  return out;
}

std::vector<TunePoint> tune(std::span<const FittedKernel> kernels, const Dataset& data,
                            const TrainOptions& options, const TuneOptions& tuning,
                            const Context& context,
                            const std::function<void(const TunePoint&)>& finished) {
  check_tuning(options, tuning.costs.size());
  check_metric(tuning.metric);
  const std::vector<FittedKernel> complete = load_word_vectors(kernels, {&data});
  kernels = complete;
  const Targets targets = targets_of(data, options);
  const Context quiet = without_progress(context);
  std::vector<TunePoint> out;
  for_each_trial(kernels, data, targets, options, quiet, [&](std::size_t k, const Trial& trial) {
    const auto splits = splits_for(kernels[k], targets, data.size(), tuning.validation);
    for (const double cost : tuning.costs) {
      TrainOptions at = options;
      at.classifier.cost = cost;
      const ValidationResult result = run(trial, at, splits, tuning.validation.split, quiet, {});
      out.push_back({kernels[k].to_string(), cost, result.spread_of(tuning.metric)});
      if (finished) finished(out.back());
      report(context, out.size(), kernels.size() * tuning.costs.size());
    }
  });
  return out;
}

const TunePoint& best_point(std::span<const TunePoint> points) {
  if (points.empty()) throw Error("there are no settings to choose from");
  return *std::ranges::max_element(points, [](const TunePoint& a, const TunePoint& b) {
    if (a.score.mean != b.score.mean) return a.score.mean < b.score.mean;
    return a.cost > b.cost;
  });
}

}  // namespace espalier
