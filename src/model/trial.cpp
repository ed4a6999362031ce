#include "model/trial.hpp"

#include "model/learned_kernel.hpp"

namespace espalier {

Context without_progress(Context context) {
  context.progress = nullptr;
  return context;
}

void report(const Context& context, std::size_t done, std::size_t all) {
  if (context.progress) context.progress(static_cast<double>(done) / static_cast<double>(all));
}

Validation::Validation(const Dataset& data, const TrainOptions& training,
                       const ValidationOptions& how)
    : targets(training_targets(data, training)),
      options(how),
      groups(example_groups(data, how.grouping)) {
  if (targets.task == Task::one_class)
    throw Error("a one-class model cannot be cross-validated: it has no labels to predict");
  if (how.grouping.groups) ranked_groups = text_groups(data, *how.grouping.groups);
  positive = how.relevant ? class_named(*how.relevant, targets.names)
                          : usual_positive_class(targets.names);
}

std::vector<Split> Validation::splits_for(const FittedKernel& kernel, const Targets& of,
                                          std::span<const std::uint32_t> grouped) const {
  ValidationOptions how = options;
  if (how.equal_parts) how.train_fraction = needs_learning(kernel) ? 2.0 / 3 : 0.5;
  return make_splits(of, grouped.size(), how, grouped);
}

Outcomes Validation::outcomes(std::span<const std::uint32_t> examples,
                              const Predictions& predictions) const {
  Outcomes out = outcomes_of(targets, examples, predictions);
  out.positive = positive;
  if (ranked_groups.empty()) return out;
  for (const std::uint32_t i : examples) out.groups.push_back(ranked_groups[i]);
  return out;
}

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

}  // namespace espalier
