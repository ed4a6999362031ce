#include "espalier/model/evaluation.hpp"

#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/model/groups.hpp"

namespace espalier {

Outcomes outcomes_of(const Targets& targets, std::span<const std::uint32_t> examples,
                     const Predictions& predictions) {
  Outcomes out{targets.names, ClassLists(targets.names.size()), ClassLists(targets.names.size())};
  out.positive = usual_positive_class(targets.names);
  for (std::size_t t = 0; t < examples.size(); ++t) {
    if (targets.task == Task::regression) {
      out.true_numbers.push_back(targets.numbers[examples[t]]);
      out.numbers.push_back(predictions.scores(t, 0));
      continue;
    }
    out.truth.add(targets.classes[examples[t]]);
    out.predicted.add(predictions.classes[t]);
    const auto scores = predictions.scores.row(t);
    out.scores.emplace_back(scores.begin(), scores.end());
  }
  return out;
}

Outcomes outcomes_of(const Model& model, const Predictions& predictions, const Dataset& truth,
                     const RankingOptions& options) {
  if (model.task() == Task::one_class) {
    throw Error("a one-class model cannot be evaluated: it has no labels to predict");
  }
  if (predictions.scores.rows() != truth.size()) {
    throw Error("there are predictions for " + std::to_string(predictions.scores.rows()) +
                " examples, but " + std::to_string(truth.size()) + " examples");
  }
  const Targets targets = make_targets(truth, model.task(), model.classes(), model.multi_label());
  std::vector<std::uint32_t> all(truth.size());
  std::iota(all.begin(), all.end(), 0U);
  Outcomes out = outcomes_of(targets, all, predictions);
  out.positive = options.relevant.empty() ? usual_positive_class(model.classes())
                                          : class_named(options.relevant, model.classes());
  if (!options.groups.empty()) out.groups = text_groups(truth, options.groups);
  return out;
}

Evaluation evaluate(const Model& model, const Predictions& predictions, const Dataset& truth) {
  return evaluate(outcomes_of(model, predictions, truth));
}

}  // namespace espalier
