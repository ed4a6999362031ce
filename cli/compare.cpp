#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/groups.hpp"
#include "help.hpp"
#include "json.hpp"
#include "metrics.hpp"
#include "output.hpp"
#include "prediction_file.hpp"
#include "reading.hpp"
#include "table.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct CompareCommand {
  std::vector<std::string> predictions;
  std::string data;
  std::string groups;
  std::string relevant;
  bool json = false;
  MetricOptions metrics;
  TableOptions table;
  ReadOptions read;
  WorkOptions work;
};

/// One system beside the first one.
struct ComparedSystem {
  std::string name;
  MetricComparison comparison;
  std::optional<double> adjusted_p_value;  ///< for all systems (Holm)

  void fields(auto&& field) const {
    field("system", name);
    comparison.fields(field);
    field("adjusted_p_value", adjusted_p_value);
  }
};

std::vector<ComparedSystem> compare_all(const CompareCommand& options, const Metric& metric,
                                        std::span<const Outcomes> outcomes) {
  std::vector<ComparedSystem> out;
  std::vector<double> p_values;
  for (std::size_t s = 1; s < outcomes.size(); ++s) {
    out.push_back({options.predictions[s],
                   compare(metric, outcomes[s], outcomes[0], outcomes[0].groups,
                           options.metrics.resampling(), options.work.context("compare")),
                   {}});
    if (const auto p = out.back().comparison.p_value) p_values.push_back(*p);
  }
  if (p_values.size() < out.size()) return out;
  const std::vector<double> adjusted = holm(p_values);
  for (std::size_t s = 0; s < out.size(); ++s) out[s].adjusted_p_value = adjusted[s];
  return out;
}

std::string to_text(const CompareCommand& options, std::span<const Outcomes> outcomes,
                    std::span<const ComparedSystem> systems) {
  Table table{
      {"system", "metric", "value", "first", "difference", "low", "high", "p", "p (Holm)", "test"},
      {}};
  for (const auto& [name, found, adjusted] : systems) {
    auto& row = table.rows.emplace_back(
        std::vector{name, found.metric, cell(found.a), cell(found.b), cell(found.difference)});
    append_cells(found.interval, row);
    row.insert(row.end(), {p_cell(found.p_value), p_cell(adjusted), found.test});
  }
  std::string out = options.table.write(table);
  if (!options.table.text()) return out;
  return out +
         fmt::format("{}; difference: from {}; low and high: its {} interval, by {} of the {}\n",
                     counted(outcomes[0].size(), "example"), options.predictions[0],
                     options.metrics.confidence(),
                     counted(options.metrics.resampling().resamples, "bootstrap resample"),
                     outcomes[0].groups.empty() ? "examples" : "groups");
}

void run(const CompareCommand& options) {
  options.metrics.check();
  if (options.predictions.size() < 2) {
    throw CLI::ValidationError("name at least two files of predictions");
  }
  const Dataset data = read(options.data, options.read);
  if (data.size() == 0) throw Error("there are no examples to compare predictions of");
  std::vector<Outcomes> outcomes;
  for (const std::string& path : options.predictions) {
    Outcomes& one = outcomes.emplace_back(outcomes_of(PredictionFile(path), data));
    if (!options.relevant.empty()) one.positive = class_named(options.relevant, one.classes);
    if (!options.groups.empty()) one.groups = text_groups(data, options.groups);
  }
  std::vector<ComparedSystem> systems;
  for (const Metric& metric : options.metrics.metrics(outcomes[0])) {
    for (ComparedSystem& one : compare_all(options, metric, outcomes)) {
      systems.push_back(std::move(one));
    }
  }
  print(options.json ? json_text({{"first", options.predictions[0]}, {"systems", to_json(systems)}})
                     : to_text(options, outcomes, systems));
}

}  // namespace

void add_compare(CLI::App& program) {
  auto* command =
      program.add_subcommand("compare", "Test whether systems differ on the same examples");
  auto options = std::make_shared<CompareCommand>();
  command
      ->add_option("predictions", options->predictions,
                   "two or more files that `espalier predict` wrote; compared with the first")
      ->required();
  command->add_option("--data", options->data, "the examples with their labels")->required();
  options->metrics.add_to(*command);
  command->add_option("--groups", options->groups,
                      "examples that have this text in common are ranked and resampled together");
  command->add_option("--relevant", options->relevant,
                      "the class that is ranked first and that f1, roc_auc and average_precision\n"
                      "are about, if it is not called 1, true, yes or relevant");
  options->table.add_to(*command);
  command->add_flag("--json", options->json, "print JSON");
  add_read_options(*command, options->read);
  options->work.add_to(*command);
  add_details(*command, describe_metrics());
  command->footer(
      "Accuracy is tested by McNemar's exact test; all else, and accuracy with --groups, by a\n"
      "permutation test that exchanges the predictions of random examples or groups.\n\n"
      "Example:\n"
      "  espalier predict a.model test.tsv -o a.tsv; espalier predict b.model test.tsv -o b.tsv\n"
      "  espalier compare a.tsv b.tsv --data test.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
