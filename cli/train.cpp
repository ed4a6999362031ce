#include "espalier/model/train.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/sink.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "reading.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct TrainCommand {
  std::string kernel;
  std::string continued;
  std::string data;
  std::string output;
  std::string curve;
  ReadOptions read;
  LearningOptions learning;
  WorkOptions work;
};

Model trained(const TrainCommand& options, const Dataset& data) {
  const Context context = options.work.context("train");
  if (options.continued.empty()) {
    const TrainOptions train_options = options.learning.options();
    warn_of_labels(data, train_options);
    return train(look_up_words(Kernel(options.kernel), {&data}, options.work), data, train_options,
                 context);
  }
  Model model = load_model(options.continued);
  continue_training(model, data, options.learning.continue_options(), context);
  return model;
}

void write_curve(const Model& model, const std::string& path) {
  const LandmarkScores* const scores = model.landmarks();
  if (scores == nullptr || scores->curve.empty())
    throw Error("--curve draws the training of a network: use --learner kda");
  Sink sink(path);
  sink.write(path.ends_with(".json") ? json_text(to_json(scores->curve))
                                     : curve_svg(scores->curve));
  sink.commit();
}

void run(const TrainCommand& options) {
  if (options.kernel.empty() == options.continued.empty()) {
    throw CLI::ValidationError(
        "name a kernel with -k, or a model to continue training with --continue");
  }
  const Dataset data = read(options.data, options.read);
  const Model model = trained(options, data);
  if (!options.curve.empty()) write_curve(model, options.curve);
  save_model(model, options.output);
  if (!model.training.converged) {
    warn(
        "the solver stopped before its tolerance was reached: a larger --tolerance or norm(..) "
        "may help");
  }
  if (options.work.quiet) return;
  const FunctionsSummary functions = model.functions.summary();
  fmt::print(stderr, "{}: {}, {}, from {}, {} with {}\n", options.output, model.training.learner,
             to_string(Targets{model.task(), model.classes()}),
             counted(model.training.examples, "example"),
             counted(functions.subtrees, "distinct subtree"), counted(functions.weights, "weight"));
}

}  // namespace

void add_train(CLI::App& program) {
  auto* command = program.add_subcommand("train", "Learn a model from labelled examples");
  auto options = std::make_shared<TrainCommand>();
  command->add_option("-k,--kernel", options->kernel, "the kernel expression");
  command->add_option("--continue", options->continued,
                      "a perceptron or pa model to continue training, instead of a kernel");
  command->add_option("data", options->data, "the examples to learn from")->required();
  command->add_option("-o,--output", options->output, "the model file to write")->required();
  command->add_option("--curve", options->curve,
                      "kda: a file for the course of the training, .svg or .json");
  add_read_options(*command, options->read);
  options->learning.add_to(*command);
  options->work.add_to(*command);
  command->footer(
      "The model holds one weight for each distinct subtree and class, not the examples.\n"
      "'espalier gram --help-all' lists the kernels.\n\n"
      "Examples:\n"
      "  espalier train -k 'norm(sst(lambda=0.4))' -C 3 examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner linear --landmarks 300 -k 'norm(pt())' "
      "examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner kda --landmarks 300 -k 'norm(pt())' --curve curve.svg "
      "examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner pa -k 'norm(pt())' examples/questions/train.tsv -o q.model\n"
      "  espalier train --continue q.model new.tsv -o q.model");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
