#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/io/format.hpp"
#include "learning.hpp"
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

void run(const TuneCommand& options) {
  std::vector<FittedKernel> kernels = sweep(options.kernel);
  check_metric(options.tuning.metric);
  if (!options.plot.empty()) output_suffix(options.plot, {".svg"});
  check_outputs({"-", options.output, options.plot}, {options.data});
  std::optional<Sink> model = open_if_named(options.output), plot = open_if_named(options.plot);
  const Dataset data = read(options.data, options.read);
  kernels = look_up_words(kernels, {&data}, options.work);
  const TrainOptions train_options = options.learning.options();
  TuneOptions tuning = options.tuning;
  tuning.validation = options.splits.options(train_options.seed);
  warn_of_labels(data, train_options);
  const Context context = options.work.context("tune");
  warn_of_solver(kernels[0], data.size(), train_options, context);
  const auto points = tune(kernels, data, train_options, tuning, context,
                           [first = true](const TunePoint& point) mutable {
                             print_point(point, std::exchange(first, false));
                           });
  const TunePoint& best = best_point(points);
  tell_task(data, train_options, options.work);
  if (!options.work.quiet) {
    tell(fmt::format("best: {} with C = {}: {:.4f}", best.kernel, best.cost, best.score.mean));
  }
  if (model) {
    TrainOptions final_options = train_options;
    final_options.classifier.cost = best.cost;
    finish(*model, model_bytes(train(Kernel(best.kernel), data, final_options,
                                     options.work.context("train"))));
  }
  if (plot) finish(*plot, tune_svg(points, options.tuning.metric));
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
  command->add_option("--metric", options->tuning.metric,
                      "accuracy, macro_f1, micro_f1, r2, pearson or spearman");
  command->add_option("--plot", options->plot, "an SVG file to draw the results to");
  command->add_option("-o,--output", options->output,
                      "train with the best on all the data and write this model");
  add_read_options(*command, options->read);
  options->splits.add_to(*command);
  options->learning.add_to(*command, false);
  options->work.add_to(*command);
  command->footer(
      "Prints TSV, a line for each setting as it is finished. Only the data given here are used:\n"
      "keep the test data for the end.\n\n"
      "Example:\n"
      "  espalier tune -k 'norm(sst(lambda={0.2,0.4,0.6}))' -C 0.3,1,3 "
      "examples/questions/train.tsv --plot tune.svg -o q.model");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
