#include "commands.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/evaluation.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct EvaluateCommand {
  std::string model;
  std::string data;
  RankingOptions ranking;
  bool json = false;
  ReadOptions read;
  std::shared_ptr<ParameterFlags> read_flags;
  bool strict = false;
  WorkOptions work;
};

void run(const EvaluateCommand& options) {
  const Model model = load_model(options.model);
  const ReadOptions how = as_trained(options.read, *options.read_flags, model);
  const Dataset data = read_as_trained(model, [&] { return read(options.data, how); });
  check_data(model, data, options.strict);
  const Predictions predictions = predict(model, data, options.work.context("evaluate"));
  Evaluation evaluation = evaluate(model, predictions, data);
  if (!options.ranking.groups.empty()) {
    evaluation.ranking = evaluate_ranking(model, predictions, data, options.ranking);
  }
  print(options.json ? json_text(to_json(evaluation)) : evaluation_text(evaluation));
}

}  // namespace

void add_evaluate(CLI::App& program) {
  auto* command = program.add_subcommand("evaluate", "Compare a model with labelled examples");
  auto options = std::make_shared<EvaluateCommand>();
  command->add_option("model", options->model, "the model file")->required();
  command->add_option("data", options->data, "labelled examples")->required();
  command->add_option("--groups", options->ranking.groups,
                      "rank the examples that have this text in common: MAP and MRR too");
  command->add_option("--relevant", options->ranking.relevant,
                      "the class to be ranked first, if it is not called 1, true, yes or relevant");
  command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--strict", options->strict,
                    "refuse data that was read in another way than in training, or whose labels\n"
                    "were mostly never seen, instead of warning");
  options->read_flags = add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer("Example:\n  espalier evaluate q.model examples/questions/test.tsv");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
