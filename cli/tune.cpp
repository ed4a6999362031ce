#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/io/format.hpp"
#include "help.hpp"
#include "learning.hpp"
#include "metrics.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct TuneCommand {
  std::string kernel;
  std::string data;
  std::string output;
  std::string plot;
  TuneOptions tuning;
  ReadOptions read;
  LearningOptions learning;
  SplitOptions splits{TuneOptions().validation};
  WorkOptions work;
};

/// Each setting is printed when it is done, so that an interruption loses nothing.
void print_point(const TunePoint& point, bool first) {
  print(fmt::format("{}{}\t{}\t{:.4f}\t{:.4f}\n", first ? "kernel\tC\tmean\tdeviation\n" : "",
                    point.kernel, point.cost, point.score.mean,
                    point.score.standard_deviation.value_or(0)));
}

/// The best at the edge of a grid may not be the best there is.
void warn_of_edge(std::vector<double> costs, double best) {
  std::ranges::sort(costs);
  if (costs.size() < 2) return;
  if (best == costs.front()) {
    warn(fmt::format("the best C, {}, is the smallest tried: extend -C below it", best));
  } else if (best == costs.back()) {
    warn(fmt::format("the best C, {}, is the largest tried: extend -C above it", best));
  }
}

void run(const TuneCommand& options) {
  std::vector<FittedKernel> kernels = sweep(options.kernel);
  if (!options.tuning.metric.empty()) Metric{options.tuning.metric};
  if (!options.plot.empty()) output_suffix(options.plot, {".svg"});
  check_outputs({"-", options.output, options.plot}, {options.data});
  std::optional<Sink> model = open_if_named(options.output), plot = open_if_named(options.plot);
  const Dataset data = read(options.data, options.read);
  kernels = look_up_words(kernels, {&data}, options.work);
  TrainOptions train_options = options.learning.options();
  TuneOptions tuning = options.tuning;
  tuning.validation = options.splits.options(train_options);
  const Metric metric = tuning_metric(tuning, make_targets(data, train_options.task));
  warn_of_labels(data, train_options);
  const Context context = options.work.context("tune");
  warn_of_solver(kernels[0], data.size(), train_options, context);
  const auto points = tune(kernels, data, train_options, tuning, context,
                           [first = true](const TunePoint& point) mutable {
                             print_point(point, std::exchange(first, false));
                           });
  const TunePoint& best = best_point(points, metric);
  tell_task(data, train_options, options.work);
  tell_groups(data, tuning.validation.grouping, options.work);
  if (!options.work.quiet) {
    tell(fmt::format("best: {} with C = {}: {:.4f}", best.kernel, best.cost, best.score.mean));
  }
  warn_of_edge(options.tuning.costs, best.cost);
  if (model) {
    TrainOptions final_options = train_options;
    final_options.classifier.cost = best.cost;
    finish(*model, model_bytes(train(Kernel(best.kernel), data, final_options,
                                     options.work.context("train"))));
  }
  if (plot) finish(*plot, tune_svg(points, metric));
}

}  // namespace

void add_tune(CLI::App& program) {
  auto* command = program.add_subcommand("tune", "Find the best kernel and C by cross-validation");
  auto options = std::make_shared<TuneCommand>();
  command->add_option("-k,--kernel", options->kernel, "the kernel, with lists to try")->required();
  command->add_option("data", options->data, "labelled examples")->required();
  command->add_option("-C,--C", options->tuning.costs, "the values of C to try, as in 1,3,10")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(above_zero);
  command
      ->add_option("--metric", options->tuning.metric,
                   "what is to be best, as accuracy, f1:HUM or map; --help-all lists all")
      ->option_text("NAME");
  command->add_option("--plot", options->plot, "an SVG file to draw the results to");
  command->add_option("-o,--output", options->output,
                      "train with the best on all the data and write this model");
  add_read_options(*command, options->read);
  options->splits.add_to(*command);
  options->learning.add_to(*command, {"C", "groups", "group_duplicates"});
  options->work.add_to(*command);
  add_details(*command, describe_metrics());
  command->footer(
      "Prints TSV, a line for each setting as it is finished. Only the data given here are used:\n"
      "keep the test data for the end.\n\n"
      "Example:\n"
      "  espalier tune -k 'norm(sst(lambda={0.2,0.4,0.6}))' -C 0.3,1,3 "
      "examples/questions/train.tsv --plot tune.svg -o q.model");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
