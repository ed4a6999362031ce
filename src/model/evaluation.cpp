#include "espalier/model/evaluation.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace espalier {

namespace {

constexpr std::array metrics_known = {"accuracy", "macro_precision", "macro_recall",
                                      "macro_f1", "micro_f1",        "r2",
                                      "pearson",  "spearman"};

const TextColumn& text_column(const Dataset& data, const std::string& name) {
  std::vector<std::string> names;
  for (const TextColumn& column : data.texts()) {
    names.push_back(to_string(column.slot));
    if (names.back() == name) return column;
  }
  if (names.empty()) throw Error("the examples have no texts to group by");
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  throw Error("the examples have no text named " + in_quotes(name) + ": they have " + list);
}

/// Throws Error unless predictions and labels can be compared.
void check(const Model& model, const Predictions& predictions, const Dataset& truth) {
  if (model.task() == Task::one_class) {
    throw Error("a one-class model cannot be evaluated: it has no labels to predict");
  }
  if (predictions.scores.rows() != truth.size()) {
    throw Error("there are predictions for " + std::to_string(predictions.scores.rows()) +
                " examples, but " + std::to_string(truth.size()) + " examples");
  }
}

std::uint32_t relevant_class(const Model& model, const std::string& name) {
  for (const std::string usual : {"1", "+1", "true", "yes", "relevant"}) {
    const auto found = std::ranges::find(model.classes(), name.empty() ? usual : name);
    if (found != model.classes().end()) {
      return static_cast<std::uint32_t>(found - model.classes().begin());
    }
  }
  if (name.empty()) throw Error("name the relevant class: none is called 1, true or yes");
  const std::string near = nearest(name, model.classes());
  throw Error("the model has no class " + in_quotes(name) +
              (near.empty() ? "" : ": did you mean " + in_quotes(near) + "?"));
}

}  // namespace

Evaluation evaluate(const Model& model, const Predictions& predictions, const Dataset& truth) {
  check(model, predictions, truth);
  Evaluation out;
  if (model.task() == Task::regression) {
    const Targets targets = make_targets(truth, Task::regression);
    std::vector<double> predicted;
    for (std::size_t i = 0; i < truth.size(); ++i) predicted.push_back(predictions.scores(i, 0));
    out.regression = evaluate_regression(targets.numbers, predicted);
    return out;
  }
  const Targets targets =
      make_targets(truth, Task::classification, model.classes(), model.multi_label());
  ClassLists predicted(targets.names.size());
  for (const auto& classes : predictions.classes) predicted.add(classes);
  out.classification = evaluate_classification(targets.classes, predicted, targets.names);
  return out;
}

RankingScores evaluate_ranking(const Model& model, const Predictions& predictions,
                               const Dataset& truth, const RankingOptions& options) {
  check(model, predictions, truth);
  const TextColumn& texts = text_column(truth, options.groups);
  const bool numbers = model.task() == Task::regression;
  const Targets targets = make_targets(truth, model.task(), model.classes(), model.multi_label());
  const std::uint32_t relevant = numbers ? 0 : relevant_class(model, options.relevant);
  std::map<std::string, std::uint32_t> groups;
  std::vector<RankedItem> items;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!texts.texts[i]) {
      throw Error("example " + std::to_string(i + 1) + " has no text " + in_quotes(options.groups));
    }
    const auto group =
        groups.try_emplace(*texts.texts[i], static_cast<std::uint32_t>(groups.size()))
            .first->second;
    const bool is_relevant = numbers ? targets.numbers[i] > 0 : targets.classes.has(i, relevant);
    items.push_back({group, is_relevant, predictions.scores(i, relevant)});
  }
  return evaluate_ranking(items);
}

void check_metric(const std::string& name) {
  if (name.empty() || std::ranges::find(metrics_known, name) != metrics_known.end()) return;
  const std::string near = nearest(name, metrics_known);
  throw Error("there is no metric " + in_quotes(name) +
              (near.empty() ? "" : ": did you mean " + near + "?"));
}

Metric metric(const Evaluation& evaluation, const std::string& name) {
  check_metric(name);
  if (evaluation.classification) {
    const ClassificationScores& scores = *evaluation.classification;
    if (name == "macro_precision") return {name, scores.macro.precision};
    if (name == "macro_recall") return {name, scores.macro.recall};
    if (name == "macro_f1") return {name, scores.macro.f1};
    if (name == "micro_f1" || (name.empty() && scores.multi_label)) {
      return {"micro_f1", scores.micro.f1};
    }
    if (name.empty() || name == "accuracy") return {"accuracy", scores.accuracy};
  } else if (evaluation.regression) {
    const RegressionScores& scores = *evaluation.regression;
    if (name == "pearson") return {name, scores.pearson.value_or(0)};
    if (name == "spearman") return {name, scores.spearman.value_or(0)};
    if (name.empty() || name == "r2") return {"r2", scores.r2.value_or(0)};
  }
  throw Error("the metric " + name + " does not apply to the task");
}

}  // namespace espalier
