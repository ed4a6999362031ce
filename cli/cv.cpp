#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "espalier/engine/discriminance.hpp"
#include "espalier/io/format.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct CvCommand {
  std::vector<std::string> kernels;
  std::string data;
  bool json = false;
  ReadOptions read;
  LearningOptions learning;
  SplitOptions splits;
  WorkOptions work;
};

std::vector<std::string> metrics_of(const Evaluation& evaluation) {
  if (evaluation.regression) return {"r2", "pearson", "spearman"};
  if (evaluation.classification->multi_label) return {"accuracy", "micro_f1", "macro_f1"};
  return {"accuracy", "macro_precision", "macro_recall", "macro_f1"};
}

Json result_json(const FittedKernel& kernel, const ValidationResult& result) {
  Json out = {{"kernel", kernel.to_string()}, {"splits", Json::array()}};
  for (const Evaluation& split : result.splits) {
    Json& one = out["splits"].emplace_back();
    for (const std::string& name : metrics_of(result.pooled)) one[name] = metric(split, name).value;
  }
  for (const std::string& name : metrics_of(result.pooled)) {
    out["spread"][name] = to_json(result.spread_of(name));
  }
  out["all"] = to_json(result.pooled);
  return out;
}

std::string to_text(const ValidationResult& result, bool leave_one_out) {
  std::string out;
  if (!leave_one_out) {
    out += fmt::format("{:<15} {:>8} {:>10} {:>8} {:>8}   over {} splits\n", "", "mean",
                       "deviation", "min", "max", result.splits.size());
    for (const std::string& name : metrics_of(result.pooled)) {
      const Spread spread = result.spread_of(name);
      out += fmt::format("{:<15} {:>8.4f} {:>10.4f} {:>8.4f} {:>8.4f}\n", name, spread.mean,
                         spread.standard_deviation.value_or(0), spread.min, spread.max);
    }
    out += "\nAll splits together:\n";
  }
  return out + evaluation_text(result.pooled);
}

/// The best mean among kernels that learn nothing: what others are compared with.
std::optional<double> best_fixed(std::span<const FittedKernel> kernels,
                                 std::span<const ValidationResult> results,
                                 const std::string& name) {
  std::optional<double> best;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (needs_learning(kernels[k])) continue;
    best = std::max(best.value_or(0), results[k].spread_of(name).mean);
  }
  return best;
}

/// A line for each kernel: the means with their deviations, and for kernels with learned weights
/// how they compare with the best of the others.
std::string to_text(std::span<const FittedKernel> kernels,
                    std::span<const ValidationResult> results) {
  const auto metrics = metrics_of(results[0].pooled);
  std::size_t width = 6;
  for (const FittedKernel& kernel : kernels) width = std::max(width, kernel.to_string().size());
  std::string out = fmt::format("{:<{}}", "kernel", width);
  for (const std::string& name : metrics) out += fmt::format("  {:>17}", name);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    out += fmt::format("\n{:<{}}", kernels[k].to_string(), width);
    for (const std::string& name : metrics) {
      const Spread spread = results[k].spread_of(name);
      out +=
          fmt::format("  {:>8.4f} +-{:>6.4f}", spread.mean, spread.standard_deviation.value_or(0));
    }
    if (!needs_learning(kernels[k])) continue;
    std::string gains = fmt::format("\n{:<{}}", "  relative to the best fixed one", width);
    bool compared = false;
    for (const std::string& name : metrics) {
      const auto best = best_fixed(kernels, results, name);
      if (best && *best > 0) {
        compared = true;
        gains += fmt::format("  {:>+16.2f}%", 100 * (results[k].spread_of(name).mean / *best - 1));
      }
    }
    if (compared) out += gains;
  }
  return out + "\n";
}

void run(const CvCommand& options) {
  std::vector<FittedKernel> kernels;
  for (const std::string& expression : options.kernels) {
    for (FittedKernel& kernel : sweep(expression)) kernels.push_back(std::move(kernel));
  }
  const Dataset data = read(options.data, options.read);
  kernels = look_up_words(kernels, {&data}, options.work);
  const TrainOptions training = options.learning.options();
  const ValidationOptions splits = options.splits.options(training.seed);
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
  if (options.json) {
    Json all = Json::array();
    for (std::size_t k = 0; k < kernels.size(); ++k)
      all.push_back(result_json(kernels[k], results[k]));
    print(json_text({{"results", all}}));
  } else {
    print(kernels.size() == 1 ? to_text(results[0], splits.split == SplitKind::leave_one_out)
                              : to_text(kernels, results));
  }
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
  command->add_flag("--json", options->json, "print JSON");
  add_read_options(*command, options->read);
  options->splits.add_to(*command);
  options->learning.add_to(*command);
  options->work.add_to(*command);
  command->footer(
      "The kernels of all examples are computed once for all splits, except where weights are\n"
      "learned: that happens within the training part of each split.\n\n"
      "Examples:\n"
      "  espalier cv -k 'norm(sst())' -C 3 --folds 5 examples/questions/train.tsv\n"
      "  espalier cv -k 'norm(st())' --split random --repeats 20 --train-fraction 0.5 "
      "examples/questions/train.tsv\n"
      "  espalier cv -k 'norm(st(decay={0.3,0.5,0.7}))' -k 'norm(st(weight=discriminance))' "
      "--split random --repeats 50 --equal-parts examples/questions/train.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
