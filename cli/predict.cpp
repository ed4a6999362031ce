#include <fmt/format.h>

#include <utility>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/model.hpp"
#include "reading.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  bool probabilities = false;
  ReadOptions read;
  std::shared_ptr<ParameterFlags> read_flags;
  bool strict = false;
  WorkOptions work;
};

/// Examples read, predicted and written at a time, so that a stream of any length fits in memory.
constexpr std::size_t piece = 2000;

/// Reads up to `piece` examples; false if there was none.
bool next_piece(ExampleReader& reader, Dataset& data) {
  data = {};
  Example example;
  while (data.size() < piece && reader.next(example)) data.add(example);
  return data.size() > 0;
}

std::string header(const Model& model, bool probabilities) {
  if (model.task() == Task::regression) return "number\n";
  std::string out = "label";
  if (model.task() == Task::one_class) return out + "\tscore\n";
  for (const std::string& name : model.classes()) out += "\t" + name;
  if (probabilities) {
    for (const std::string& name : model.classes()) out += "\tp(" + name + ")";
  }
  return out + "\n";
}

std::string row(const Predictions& predictions, std::size_t i) {
  std::string out = predictions.label(i);
  const auto scores = predictions.scores.row(i);
  if (predictions.task == Task::regression) return out + "\n";
  if (predictions.task == Task::one_class) return out + "\t" + print_number(scores[0]) + "\n";
  for (const double score : scores) out += fmt::format("\t{:.6g}", score);
  if (predictions.probabilities.rows() > 0) {
    for (const double p : predictions.probabilities.row(i)) out += fmt::format("\t{:.6g}", p);
  }
  return out + "\n";
}

void run(const PredictCommand& options) {
  Model model = load_model(options.model);
  if (options.probabilities && !has_probabilities(model)) {
    throw Error("the model has no probabilities: train it with --probabilities, or a network");
  }
  if (auto* found = std::get_if<Classification>(&model.decision); !options.probabilities && found) {
    found->probabilities = {};
  }
  const ReadOptions read = as_trained(options.read, *options.read_flags, model);
  const auto reader = open_reader(options.data, read);
  const Context context = options.work.context("predict");
  Sink output(options.output);
  output.write(header(model, options.probabilities));
  bool first = true;
  for (Dataset data; next_piece(*reader, data);) {
    data.set_reading(reading_settings(read));
    if (std::exchange(first, false)) check_data(model, data, options.strict);
    const Predictions predictions = predict(model, data, context);
    std::string text;
    for (std::size_t i = 0; i < data.size(); ++i) text += row(predictions, i);
    output.write(text);
  }
  output.commit();
}

}  // namespace

void add_predict(CLI::App& program) {
  auto* command = program.add_subcommand("predict", "Apply a model to examples");
  auto options = std::make_shared<PredictCommand>();
  command->add_option("model", options->model, "the model file")->required();
  command->add_option("data", options->data, "the examples; their labels are not looked at")
      ->required();
  command->add_option("-o,--output", options->output, "the file to write [standard output]");
  command->add_flag("--probabilities", options->probabilities, "probabilities of classes too");
  command->add_flag("--strict", options->strict,
                    "refuse data that was read in another way than in training, or whose labels\n"
                    "were mostly never seen, instead of warning");
  options->read_flags = add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "Writes TSV with a header: the label (several with blanks between them), and a score for\n"
      "each class. Examples are read piece by piece: a stream may be of any length.\n\n"
      "Example:\n  espalier predict q.model examples/questions/test.tsv | head -3");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
