#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/evaluation.hpp"
#include "help.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "metrics.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "table.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct EvaluateCommand {
  std::string model;
  std::string data;
  RankingOptions ranking;
  std::string errors;
  bool json = false;
  MetricOptions metrics;
  TableOptions table;
  ReadOptions read;
  std::shared_ptr<ParameterFlags> read_flags;
  std::string vectors;
  bool strict = false;
  WorkOptions work;
};

std::string true_label(const Outcomes& outcomes, std::size_t i) {
  if (outcomes.regression()) return print_number(outcomes.true_numbers[i]);
  std::string out;
  for (const std::uint32_t c : outcomes.truth[i]) {
    out += (out.empty() ? "" : " ") + outcomes.classes[c];
  }
  return out;
}

/// How wrong a prediction is: the error of a number; how much higher the highest score is than that
/// of a true class, infinite for a class that the model does not know.
double wrongness(const Outcomes& outcomes, std::size_t i) {
  if (outcomes.regression()) return std::abs(outcomes.numbers[i] - outcomes.true_numbers[i]);
  double out = 0;
  const auto& scores = outcomes.scores[i];
  for (const std::uint32_t c : outcomes.truth[i]) {
    out = std::max(out, c < scores.size() ? std::ranges::max(scores) - scores[c] : INFINITY);
  }
  return out;
}

/// A row for each misclassified example, or for each number, the worst first.
std::string errors_text(const Outcomes& outcomes, const Predictions& predictions,
                        const Dataset& data) {
  const TextColumn* const ids = ids_of(data);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes.regression() && outcomes.correct(i)) continue;
    order.emplace_back(-wrongness(outcomes, i), i);
  }
  std::ranges::sort(order);
  std::string out =
      fmt::format("example{}\ttrue\tpredicted\tby\ttext\n", ids == nullptr ? "" : "\tid");
  for (const auto& [wrong, i] : order) {
    out += std::to_string(i + 1);
    if (ids != nullptr) out += "\t" + ids->texts[i].value_or("");
    out += fmt::format("\t{}\t{}\t{:.6g}\t{}\n", true_label(outcomes, i), predictions.label(i),
                       -wrong, shown_text(data.example(i)));
  }
  return out;
}

std::string interval_text(const EvaluateCommand& options, std::span<const Estimate> estimates,
                          const Outcomes& outcomes) {
  Table table{{"metric", "value", "low", "high"}, {}};
  for (const Estimate& one : estimates) {
    auto& row = table.rows.emplace_back(std::vector{one.metric, cell(one.value)});
    append_cells(one.interval, row);
  }
  std::string out = options.table.write(table);
  const std::size_t resamples = options.metrics.resampling().resamples;
  if (!options.table.text() || resamples == 0) return out;
  return out + fmt::format("low and high: {} interval, by {} of the {}\n",
                           options.metrics.confidence(), counted(resamples, "bootstrap resample"),
                           outcomes.groups.empty() ? "examples" : "groups");
}

void run(const EvaluateCommand& options) {
  options.metrics.check();
  if (!options.errors.empty()) output_suffix(options.errors, {".tsv", ".txt", ""});
  check_outputs({"-", options.errors}, {options.model, options.data});
  std::optional<Sink> errors = open_if_named(options.errors);
  const Model model = load_model_with(options.model, options.vectors);
  const ReadOptions how = as_trained(options.read, *options.read_flags, model);
  const Dataset data = read_as_trained(model, [&] { return read(options.data, how); });
  check_data(model, data, options.strict);
  const Context context = options.work.context("evaluate");
  const Predictions predictions = predict(model, data, context);
  const Outcomes outcomes = outcomes_of(model, predictions, data, options.ranking);
  if (outcomes.size() == 0) throw Error("there are no examples to evaluate: check the test data");
  const Evaluation evaluation = evaluate(outcomes);
  if (!outcomes.groups.empty() && !evaluation.ranking) {
    warn("no ranking: no class is called 1, true, yes or relevant; name it with --relevant");
  }
  std::vector<Estimate> estimates;
  for (const Metric& metric : options.metrics.metrics(outcomes)) {
    estimates.push_back(
        estimate(metric, outcomes, outcomes.groups, options.metrics.resampling(), context));
  }
  if (options.json) {
    Json out = to_json(evaluation);
    out["metrics"] = to_json(estimates);
    print(json_text(out));
  } else if (options.table.text()) {
    print(evaluation_text(evaluation) + "\n" + interval_text(options, estimates, outcomes));
  } else {
    print(interval_text(options, estimates, outcomes));
  }
  if (errors) finish(*errors, errors_text(outcomes, predictions, data));
}

}  // namespace

void add_evaluate(CLI::App& program) {
  auto* command = program.add_subcommand("evaluate", "Compare a model with labelled examples");
  auto options = std::make_shared<EvaluateCommand>();
  command->add_option("model", options->model, "the model file")->required();
  command->add_option("data", options->data, "labelled examples")->required();
  options->metrics.add_to(*command);
  command->add_option("--groups", options->ranking.groups,
                      "rank the examples that have this text in common: MAP and MRR too; they are\n"
                      "resampled together");
  command->add_option("--relevant", options->ranking.relevant,
                      "the class that is ranked first and that f1, roc_auc and average_precision\n"
                      "are about, if it is not called 1, true, yes or relevant");
  command->add_option("--errors", options->errors,
                      "a file for the misclassified examples, the worst first, as TSV");
  options->table.add_to(*command);
  command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--strict", options->strict,
                    "refuse data that was read in another way than in training, or whose labels\n"
                    "were mostly never seen, instead of warning");
  add_vectors_option(*command, options->vectors);
  options->read_flags = add_read_options(*command, options->read);
  options->work.add_to(*command);
  add_details(*command, describe_metrics());
  command->footer(
      "Examples:\n"
      "  espalier evaluate q.model examples/questions/test.tsv\n"
      "  espalier evaluate q.model examples/questions/test.tsv --metric accuracy,f1:HUM,roc_auc "
      "--errors errors.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
