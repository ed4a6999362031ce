#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/io/format.hpp"
#include "help.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "metrics.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "table.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct CurveCommand {
  std::vector<std::string> kernels;
  std::string data;
  std::string metric;
  std::string plot;
  bool json = false;
  CurveOptions curve;
  ParameterFlags flags;
  ReadOptions read;
  LearningOptions learning;
  SplitOptions splits{CurveOptions().validation};
  WorkOptions work;
};

/// Each point is printed when it is done, so that an interruption loses nothing.
void print_point(const CurvePoint& point, bool first) {
  if (first) print("kernel\tsize\tmean\tdeviation\tlow\thigh\tseconds\n");
  std::vector<std::string> ends;
  append_cells(point.interval, ends);
  print(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{:.4g}\n", point.kernel, point.size,
                    cell(point.score.mean), cell(point.score.standard_deviation), ends[0], ends[1],
                    point.seconds.mean));
}

void run(const CurveCommand& options) {
  if (!options.metric.empty()) Metric{options.metric};
  std::vector<FittedKernel> kernels;
  for (const std::string& expression : options.kernels) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
  }
  if (!options.plot.empty()) output_suffix(options.plot, {".svg"});
  check_outputs({"-", options.plot}, {options.data});
  std::optional<Sink> plot = open_if_named(options.plot);
  const Dataset data = read(options.data, options.read);
  kernels = look_up_words(kernels, {&data}, options.work);
  TrainOptions training = options.learning.options();
  CurveOptions curve = options.curve;
  curve.validation = options.splits.options(training);
  const Metric metric =
      tuning_metric({.metric = options.metric}, make_targets(data, training.task));
  warn_of_labels(data, training);
  const auto points =
      learning_curve(kernels, data, training, curve, metric.name(), options.work.context("curve"),
                     [&, first = true](const CurvePoint& point) mutable {
                       if (!options.json) print_point(point, std::exchange(first, false));
                     });
  tell_task(data, training, options.work);
  tell_groups(data, curve.validation.grouping, options.work);
  if (options.json) {
    print(json_text({{"metric", metric.name()}, {"points", to_json(points)}}));
  }
  if (plot) finish(*plot, learning_curve_svg(points, metric.name()));
}

}  // namespace

void add_curve(CLI::App& program) {
  auto* command =
      program.add_subcommand("curve", "Draw learning curves: quality and time by training size");
  auto options = std::make_shared<CurveCommand>();
  command
      ->add_option("-k,--kernel", options->kernels,
                   "the kernel expression; several, or lists in it, have a curve each")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  command->add_option("data", options->data, "labelled examples")->required();
  options->flags.add_to(*command, options->curve);
  command
      ->add_option("--metric", options->metric,
                   "what is measured, as accuracy, f1:HUM or map; --help-all lists all")
      ->option_text("NAME");
  command->add_option("--plot", options->plot, "an SVG file to draw the curves to");
  command->add_flag("--json", options->json, "print JSON");
  add_read_options(*command, options->read);
  options->splits.add_to(*command);
  options->learning.add_to(*command, {"groups", "group_duplicates"});
  options->work.add_to(*command);
  add_details(*command, describe_metrics());
  command->footer(
      "Prints TSV, a line for each kernel and size: the mean over the splits with its 95 %\n"
      "interval, and the seconds of training and prediction, without the kernel matrix.\n\n"
      "Example:\n"
      "  espalier curve -k 'norm(sst())' -k 'norm(pt())' --sizes 50,100,200,400 "
      "examples/questions/train.tsv --plot curve.svg");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
