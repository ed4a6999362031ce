#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/io/format.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct CvCommand {
  std::string kernel;
  std::string data;
  bool json = false;
  ReadOptions read;
  LearningOptions learning;
  SplitOptions splits;
  WorkOptions work;
};

std::vector<std::string> metrics_of(const Evaluation& evaluation) {
  if (evaluation.numbers) return {"r2", "pearson", "spearman"};
  return {"accuracy", "macro_f1", "micro_f1"};
}

Json to_json(const ValidationResult& result) {
  Json out = Json::object();
  for (const std::string& name : metrics_of(result.pooled)) {
    out["splits"][name] = cli::to_json(result.spread_of(name));
  }
  out["all"] = cli::to_json(result.pooled);
  return out;
}

std::string to_text(const ValidationResult& result, bool leave_one_out) {
  std::string out;
  if (!leave_one_out) {
    out += fmt::format("{:<10} {:>8} {:>10} {:>8} {:>8}   over {} splits\n", "", "mean",
                       "deviation", "min", "max", result.splits.size());
    for (const std::string& name : metrics_of(result.pooled)) {
      const Spread spread = result.spread_of(name);
      out += fmt::format("{:<10} {:>8.4f} {:>10.4f} {:>8.4f} {:>8.4f}\n", name, spread.mean,
                         spread.standard_deviation.value_or(0), spread.min, spread.max);
    }
    out += "\nAll splits together:\n";
  }
  return out + cli::to_text(result.pooled);
}

void run(const CvCommand& options) {
  const Dataset data = read(options.data, options.read);
  ValidationOptions splits = options.splits.options();
  splits.seed = options.learning.train.seed;
  const ValidationResult result = cross_validate(
      Kernel(options.kernel), data, options.learning.options(), splits, options.work.context("cv"));
  Sink output("-");
  output.write(options.json ? json_text(to_json(result))
                            : to_text(result, options.splits.leave_one_out));
  output.commit();
}

}  // namespace

void add_cv(CLI::App& program) {
  auto* command =
      program.add_subcommand("cv", "Cross-validate: learn from one part, test on the rest");
  auto options = std::make_shared<CvCommand>();
  options->read.warn = warn;
  command->add_option("-k,--kernel", options->kernel, "the kernel expression")->required();
  command->add_option("data", options->data, "labelled examples")->required();
  command->add_flag("--json", options->json, "print JSON");
  command->add_option("--from", options->read.format, "format of the data, if not as it looks");
  options->splits.add_to(*command);
  options->learning.add_to(*command);
  options->work.add_to(*command);
  command->footer(
      "The kernels of all examples are computed once for all splits.\n\n"
      "Examples:\n"
      "  espalier cv -k 'norm(sst())' -C 3 --folds 5 examples/questions/train.tsv\n"
      "  espalier cv -k 'norm(st())' --random 20 --train-share 0.5 examples/questions/train.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
