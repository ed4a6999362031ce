#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "cv_results.hpp"
#include "espalier/io/format.hpp"
#include "help.hpp"
#include "learning.hpp"
#include "metrics.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "table.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct CvCommand {
  std::vector<std::string> kernels;
  std::string data;
  bool json = false;
  MetricOptions metrics;
  TableOptions table;
  ReadOptions read;
  LearningOptions learning;
  SplitOptions splits;
  WorkOptions work;
};

void print_results(const CvCommand& options, std::span<const FittedKernel> kernels,
                   std::span<const ValidationResult> results) {
  const auto metrics = options.metrics.metrics(results[0].pooled);
  if (options.json) {
    print(results_json(kernels, results, metrics));
    return;
  }
  std::string out;
  // Leaving one out has no splits to average over: with one kernel the evaluation says it all.
  const bool splits = !results[0].splits.empty();
  if (splits || kernels.size() > 1 || !options.table.text()) {
    out += options.table.write(results_table(kernels, results, metrics));
  }
  if (options.table.text()) {
    out += relative_text(kernels, results, metrics);
    if (splits) out += explanation_of_results(results[0], kernels.size() > 1);
    if (kernels.size() == 1) {
      out += splits ? "\nAll splits together:\n" : "";
      out += evaluation_text(evaluate(results[0].pooled));
    }
  }
  print(out);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    for (const Metric& metric : metrics) {
      warn_of_undefined(metric, results[k].splits.size(), results[k].spread_of(metric));
    }
  }
}

void run(const CvCommand& options) {
  options.metrics.check();
  std::vector<FittedKernel> kernels;
  for (const std::string& expression : options.kernels) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
  }
  const Dataset data = read(options.data, options.read);
  kernels = look_up_words(kernels, {&data}, options.work);
  TrainOptions training = options.learning.options();
  const ValidationOptions splits = options.splits.options(training);
  warn_of_labels(data, training);
  const Context context = options.work.context("cv");
  warn_of_solver(kernels[0], data.size(), training, context);
  std::vector<ValidationResult> results;
  if (kernels.size() == 1) {
    results.push_back(cross_validate(kernels[0], data, training, splits, context));
  } else {
    results = cross_validate(kernels, data, training, splits, context);
  }
  tell_task(data, training, options.work);
  tell_groups(data, splits.grouping, options.work);
  print_results(options, kernels, results);
}

}  // namespace

void add_cv(CLI::App& program) {
  auto* command =
      program.add_subcommand("cv", "Cross-validate: learn from one part, test on the rest");
  auto options = std::make_shared<CvCommand>();
  command
      ->add_option("-k,--kernel", options->kernels,
                   "the kernel expression; several, or lists in it, are compared")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);  // what follows an expression is the data
  command->add_option("data", options->data, "labelled examples")->required();
  options->metrics.add_to(*command, false);
  options->table.add_to(*command);
  command->add_flag("--json", options->json, "print JSON");
  add_read_options(*command, options->read);
  options->splits.add_to(*command);
  options->learning.add_to(*command, {"groups", "group_duplicates"});
  options->work.add_to(*command);
  add_details(*command, describe_metrics());
  command->footer(
      "The kernels of all examples are computed once for all splits, except where weights are\n"
      "learned: that happens within the training part of each split. Several kernels are compared\n"
      "with the first one by the corrected resampled t-test and by Wilcoxon's.\n\n"
      "Examples:\n"
      "  espalier cv -k 'norm(sst())' -C 3 --folds 5 examples/questions/train.tsv\n"
      "  espalier cv -k 'norm(st())' --split random --repeats 20 --train-fraction 0.5 "
      "examples/questions/train.tsv\n"
      "  espalier cv -k 'norm(sst())' -k 'norm(pt())' --metric accuracy,f1:HUM --table latex "
      "examples/questions/train.tsv\n"
      "  espalier cv -k 'norm(st(decay={0.3,0.5,0.7}))' -k 'norm(st(weight=discriminance))' "
      "--split random --repeats 50 --equal-parts examples/questions/train.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
