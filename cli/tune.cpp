#include "espalier/model/tune.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/io/format.hpp"
#include "help.hpp"
#include "learning.hpp"
#include "metrics.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "tune_results.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct TuneCommand {
  std::vector<std::string> kernels;
  std::string data;
  std::string validation;
  std::string output;
  std::string plot;
  std::string x;
  std::string costs;
  std::vector<std::string> search;
  std::size_t nested = 0;
  TuneOptions tuning;
  ParameterFlags flags;
  TableOptions table;
  ReadOptions read;
  LearningOptions learning;
  SplitOptions splits{TuneOptions().validation};
  WorkOptions work;
};

/// A searched parameter from "NAME=V1,V2". Values that contain commas are separated by semicolons.
SearchedParameter searched_parameter(const std::string& text) {
  TrainOptions options;
  const Parameters parameters(options);
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw Error("--search takes NAME=VALUE,VALUE,.., not " + in_quotes(text));
  }
  std::string name = text.substr(0, equals);
  std::ranges::replace(name, '-', '_');
  const ParameterRow& row = parameters.find(name);
  const bool lists = row.type == ParameterType::integers ||
                     row.type == ParameterType::class_weight || row.type == ParameterType::choices;
  const char separator = lists ? ';' : ',';
  SearchedParameter out{std::string(row.name), {}};
  std::string_view rest = std::string_view(text).substr(equals + 1);
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = rest.find(separator);
    out.values.push_back(parse_value(row, rest.substr(0, end), row.name));
    if (end != std::string_view::npos) rest.remove_prefix(end + 1);
  }
  if (out.values.size() < 2) {
    throw Error(fmt::format("--search {} has one value, {}: separate several by {}", row.name,
                            in_quotes(text.substr(equals + 1)), lists ? "semicolons" : "commas"));
  }
  return out;
}

/// What is searched. A single C is no search, but an option of training.
void read_search(const TuneCommand& options, TrainOptions& training, TuneOptions& tuning) {
  if (!options.costs.empty() && options.costs.find(',') == std::string::npos) {
    Parameters parameters(training);
    parameters.set("C", parse_value(parameters.find("C"), options.costs, "-C"));
    parameters.check_use({{"C"}}, name_of(training.learner), flag_of);
  } else if (!options.costs.empty()) {
    tuning.search.push_back(searched_parameter("C=" + options.costs));
  }
  for (const std::string& text : options.search) tuning.search.push_back(searched_parameter(text));
}

/// Throws Error if options contradict each other.
void check_options(const TuneCommand& options) {
  if (options.nested > 0) {
    if (!options.validation.empty()) throw Error("--nested makes splits: leave out --validation");
    if (!options.output.empty() || !options.plot.empty()) {
      throw Error("--nested measures a search, and chooses no setting: leave out -o and --plot");
    }
  }
  if (options.validation.empty()) return;
  if (options.tuning.halving) throw Error("--halving needs splits: leave out --validation");
  for (const std::string& name : options.splits.given()) {
    if (name == "relevant" || name.starts_with("group")) continue;
    throw Error(flag_of(name) + " is for splits, which there are not with --validation");
  }
}

/// Throws Error if the x axis of the plot shows nothing that is searched.
void check_axis(const TuneCommand& options, const TuneOptions& tuning) {
  if (options.x.empty()) return;
  if (options.plot.empty()) throw Error("--x needs --plot");
  std::vector<std::string> known = {"kernel"};
  for (const SweptKernel& kernel : tuning.kernels) {
    for (const SettingValue& value : kernel.values) known.push_back(value.name);
  }
  for (const SearchedParameter& parameter : tuning.search) known.push_back(parameter.name);
  if (std::ranges::find(known, options.x) != known.end()) return;
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  throw Error(fmt::format("--x is none of what is searched: {}", fmt::join(known, ", ")));
}

/// What the output and the choice depend on.
struct Tuned {
  std::vector<TunePoint> points;
  const TunePoint* best = nullptr;
};

void warn_of_edges(const Tuned& tuned) {
  for (const GridEdge& edge : grid_edges(tuned.points, *tuned.best)) {
    const std::string what = edge.of_kernel     ? "the list of " + edge.name + " in the kernel"
                             : edge.name == "C" ? "-C"
                                                : "--search " + edge.name;
    warn(fmt::format("the best {}, {}, is the {} tried: extend {} {} it", edge.name, edge.value,
                     edge.largest ? "largest" : "smallest", what,
                     edge.largest ? "above" : "below"));
  }
}

void nested(const TuneCommand& options, std::span<const FittedKernel> kernels, const Dataset& data,
            const TrainOptions& training, const TuneOptions& tuning) {
  ValidationOptions outer = tuning.validation;
  outer.split = SplitKind::folds;
  outer.folds = options.nested;
  const Metric metric = tuning_metric(tuning, make_targets(data, training.task));
  const NestedResult found =
      nested_cross_validate(kernels, data, training, tuning, outer, options.work.context("tune"));
  print(options.table.write(nested_table(found, metric)));
  if (options.table.text()) print(nested_text(found, metric));
}

void run(const TuneCommand& options) {
  std::vector<FittedKernel> kernels;
  TuneOptions tuning = options.tuning;
  for (const std::string& expression : options.kernels) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
    std::ranges::move(swept_kernels(expression), std::back_inserter(tuning.kernels));
  }
  if (!tuning.metric.empty()) Metric{tuning.metric};
  TrainOptions training = options.learning.options();
  tuning.validation = options.splits.options(training);
  read_search(options, training, tuning);
  check_search(kernels.size(), training, tuning);
  check_options(options);
  check_axis(options, tuning);
  if (!options.plot.empty()) output_suffix(options.plot, {".svg"});
  check_outputs({"-", options.output, options.plot}, {options.data, options.validation});
  std::optional<Sink> model = open_if_named(options.output), plot = open_if_named(options.plot);
  const Dataset data = read(options.data, options.read);
  std::optional<Dataset> validation;
  if (!options.validation.empty()) validation = read(options.validation, options.read);
  kernels = look_up_words(kernels, {&data, validation ? &*validation : &data}, options.work);
  warn_of_labels(data, training);
  const Context context = options.work.context("tune");
  warn_of_solver(kernels[0], data.size(), training, context);
  if (options.nested > 0) {
    nested(options, kernels, data, training, tuning);
    tell_groups(data, tuning.validation.grouping, options.work);
    return;
  }
  const Metric metric = tuning_metric(tuning, make_targets(data, training.task));
  const Dataset* const held_out = validation ? &*validation : nullptr;
  Tuned tuned;
  // Each setting is printed when it is done, so that an interruption loses nothing.
  tuned.points = tune(
      kernels, data, training, tuning, context,
      [&, first = true](const TunePoint& point) mutable {
        if (!options.table.text()) return;
        print(tune_row(point, tuning, std::exchange(first, false)));
      },
      held_out);
  tuned.best = &best_point(tuned.points, metric, tuning.one_standard_error);
  if (!options.table.text()) print(options.table.write(tune_table(tuned.points, *tuned.best)));
  tell_task(data, training, options.work);
  tell_groups(data, tuning.validation.grouping, options.work);
  if (!options.work.quiet) {
    const std::string with = to_string(tuned.best->parameters);
    tell(fmt::format("best: {}{}{}: {:.4f}", tuned.best->kernel, with.empty() ? "" : " with ", with,
                     tuned.best->score.mean));
  }
  warn_of_edges(tuned);
  if (model) {
    const TrainOptions with = with_setting(training, *tuned.best);
    finish(*model,
           model_bytes(train(Kernel(tuned.best->kernel), data, with, options.work.context("train"),
                             {}, stops_early(training) ? held_out : nullptr)));
  }
  if (plot) finish(*plot, tune_svg(tuned.points, *tuned.best, metric, options.x));
}

}  // namespace

void add_tune(CLI::App& program) {
  auto* command = program.add_subcommand("tune", "Find the best kernel and parameters");
  auto options = std::make_shared<TuneCommand>();
  command
      ->add_option("-k,--kernel", options->kernels,
                   "the kernel, with lists to try; several kernels are all tried")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  command->add_option("data", options->data, "labelled examples")->required();
  command->add_option("-C,--C", options->costs, "the values of C to try, as in 1,3,10")
      ->option_text("X,..");
  command
      ->add_option("--search", options->search,
                   "a parameter of training and the values to try, as in dropout=0,0.2,0.5 or "
                   "hidden=0;300,100; may be given several times")
      ->option_text("NAME=VALUE,..")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  options->flags.add_to(*command, options->tuning);
  command
      ->add_option("--metric", options->tuning.metric,
                   "what is to be best, as accuracy, f1:HUM or map; --help-all lists all")
      ->option_text("NAME");
  command->add_option("--validation", options->validation,
                      "a validation set that all settings predict, instead of cross-validation; "
                      "networks stop early by it");
  command
      ->add_option("--nested", options->nested,
                   "nested cross-validation with this many outer folds: what tuning and training "
                   "with the best setting give on examples not seen by either")
      ->option_text("N")
      ->check(CLI::Range(std::size_t{2}, std::size_t{1'000'000}));
  command->add_option("--plot", options->plot, "an SVG file to draw the results to");
  command
      ->add_option("--x", options->x,
                   "the parameter on the x axis of the plot, or kernel [that with most values]")
      ->option_text("NAME");
  options->table.add_to(*command);
  command->add_option("-o,--output", options->output,
                      "train with the best on all the data and write this model");
  add_read_options(*command, options->read);
  options->splits.add_to(*command);
  options->learning.add_to(*command, {"C", "groups", "group_duplicates"});
  options->work.add_to(*command);
  add_details(*command, describe_metrics());
  command->footer(
      "Tries all combinations of the lists in the kernel, of -C and of --search. Prints TSV, a "
      "line\n"
      "for each setting as it is finished. Only the data given here are used: keep the test data\n"
      "for the end. 'espalier train --help-all' lists the parameters.\n\n"
      "Examples:\n"
      "  espalier tune -k 'norm(sst(lambda={0.2,0.4,0.6}))' -C 0.3,1,3 "
      "examples/questions/train.tsv --plot tune.svg -o q.model\n"
      "  espalier tune -k 'norm(pt())' --learner kda --search landmarks=100,200 --search "
      "dropout=0,0.2,0.5 --halving examples/questions/train.tsv\n"
      "  espalier tune -k 'norm(sst())' -C 1,10,100 --search 'class_weight=none;balanced' --nested "
      "5 "
      "examples/questions/train.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
