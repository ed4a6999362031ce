#include "espalier/model/train.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "espalier/explain/plots.hpp"
#include "espalier/gram/fingerprint.hpp"
#include "espalier/io/format.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "resume.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct TrainCommand {
  std::string kernel;
  std::string continued;
  std::string data;
  std::string validation;
  std::string output;
  std::string curve;
  ParameterFlags flags;
  ReadOptions read;
  LearningOptions learning;
  WorkOptions work;
  ResumeOption resume;

  static void describe(auto& self, auto&& field) {
    field("curve", self.curve, "file for the course of the training, .svg or .json",
          {.users = "kda", .common = true});
  }
};

/// What tells this training from others.
std::string request(const FittedKernel& kernel, const Dataset& data, TrainOptions options,
                    const Context& context) {
  // The size of the working set depends on the memory.
  std::string out = fmt::format("train within {} bytes\n", context.memory);
  for (const auto& [name, value] : Parameters(options).used_by(name_of(options.learner))) {
    out += fmt::format("{}={}\n", name, value);
  }
  return out + fingerprint(kernel) + "\n" + fingerprint(data);
}

/// `part` is set if the training can be resumed.
Model trained(const TrainCommand& options, const Dataset& data, const Context& context,
              std::unique_ptr<PartFile>& part) {
  if (options.continued.empty()) {
    const TrainOptions train_options = options.learning.options();
    warn_of_labels(data, train_options);
    const Kernel kernel(options.kernel);
    warn_of_solver(kernel, data.size(), train_options, context);
    if (options.resume.given && !uses_working_set(train_options, data.size(), context)) {
      throw Error("--resume is for svm with --solver working-set");
    }
    std::optional<Dataset> validation;
    if (!options.validation.empty()) validation = read(options.validation, options.read);
    const FittedKernel complete =
        look_up_words(kernel, {&data, validation ? &*validation : &data}, options.work);
    part = options.resume.open(options.output,
                               [&] { return request(complete, data, train_options, context); });
    return train(complete, data, train_options, context,
                 {.checkpoint = part.get(), .keep_unfinished = true},
                 validation ? &*validation : nullptr);
  }
  if (!options.validation.empty()) throw Error("--validation goes with -k, not with --continue");
  if (options.resume.given) throw Error("--resume goes on with -k, not with --continue");
  Model model = load_model(options.continued);
  continue_training(model, data, options.learning.continue_options(), context);
  return model;
}

/// Throws Error if the outputs are none that could be written.
void check(const TrainCommand& options) {
  if (options.kernel.empty() == options.continued.empty()) {
    throw CLI::ValidationError(
        "name a kernel with -k, or a model to continue training with --continue");
  }
  options.flags.check_use(options.learning.learner());
  if (!options.curve.empty()) output_suffix(options.curve, {".svg", ".json"});
  check_outputs({options.output, options.curve}, {options.data, options.validation});
}

std::string curve_text(const Model& model, const std::string& path) {
  const auto& curve = model.landmarks()->curve;
  return output_suffix(path, {".svg", ".json"}) == ".json" ? json_text(to_json(curve))
                                                           : curve_svg(curve);
}

void run(const TrainCommand& options) {
  check(options);
  Sink output(options.output);
  std::optional<Sink> curve = open_if_named(options.curve);
  const Dataset data = read(options.data, options.read);
  const Context context = options.work.context("train");
  std::unique_ptr<PartFile> part;
  const Model model = trained(options, data, context, part);
  finish(output, model_bytes(model));
  if (curve) finish(*curve, curve_text(model, options.curve));
  if (!model.training.converged && context.cancelled()) {
    warn(fmt::format("{} is a model of what was reached; the solver has not converged{}",
                     options.output, part ? ", and the same command goes on from there" : ""));
    throw Cancelled();
  }
  if (part) part->remove();
  if (!model.training.converged) {
    warn(
        "the solver stopped before its tolerance was reached: a larger --tolerance or norm(..) "
        "may help");
  }
  if (options.work.quiet) return;
  tell(fmt::format("{}: {}, {}, from {}, {}", options.output, model.training.learner,
                   to_string(Targets{model.task(), model.classes()}),
                   counted(model.training.examples, "example"), model_size(model)));
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
  command->add_option("--validation", options->validation,
                      "a validation set for early stopping (kda), instead of a part of the data");
  options->flags.add_to(*command, *options);
  add_read_options(*command, options->read);
  options->learning.add_to(*command);
  options->resume.add_to(*command, "each round of the working-set solver in OUTPUT.part");
  options->work.add_to(*command);
  command->footer(
      "The model holds one weight for each distinct subtree and class, not the examples; with\n"
      "--fragments or --hash-dim one for each fragment or column and class.\n"
      "'espalier gram --help-all' lists the kernels.\n\n"
      "Examples:\n"
      "  espalier train -k 'norm(sst(lambda=0.4))' -C 3 examples/questions/train.tsv -o q.model\n"
      "  espalier train --solver working-set --resume -k 'norm(sst())' "
      "examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner linear --landmarks 300 -k 'norm(pt())' "
      "examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner linear --fragments 5000 -k 'norm(sst())' "
      "examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner linear --hash-dim 65536 --max-size 2 -k 'norm(sst())' "
      "examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner kda --landmarks 300 -k 'norm(pt())' --curve curve.svg "
      "examples/questions/train.tsv -o q.model\n"
      "  espalier train --learner pa -k 'norm(pt())' examples/questions/train.tsv -o q.model\n"
      "  espalier train --continue q.model new.tsv -o q.model");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
