#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/model.hpp"
#include "output.hpp"
#include "prediction_rows.hpp"
#include "reading.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct PredictCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  bool probabilities = false;
  bool json = false;
  std::string on_error = "stop";
  ReadOptions read;
  std::shared_ptr<ParameterFlags> read_flags;
  std::string vectors;
  bool strict = false;
  WorkOptions work;
};

/// Examples read, predicted and written at a time, so that a stream of any length fits in memory.
constexpr std::size_t most_rows = 2000;

/// Some rows of the input: the examples, and what was wrong with the others.
struct Piece {
  Dataset data;
  std::vector<std::string> errors;  ///< per row; "" for an example
  std::size_t before = 0;           ///< rows of earlier pieces
  bool last = false;

  /// The index of an example among all rows of the input.
  std::size_t row_of(std::size_t example) const {
    std::size_t row = 0;
    while (!errors[row].empty() || example-- > 0) ++row;
    return before + row;
  }
};

/// Reads rows until there are enough, the input ends, or reading would have to wait for more.
/// Without `skip`, an error ends the piece and is thrown by the next call.
class PieceReader {
 public:
  PieceReader(ExampleReader& reader, bool skip) : reader_(reader), skip_(skip) {}

  Piece next() {
    if (failure_) std::rethrow_exception(failure_);
    Piece out;
    out.before = rows_;
    while (out.errors.size() < most_rows && (out.errors.empty() || reader_.ready())) {
      try {
        out.last = !reader_.next(example_);
        if (out.last) break;
        add_to(out.data);
        out.errors.emplace_back();
      } catch (const Error& error) {
        if (!skip_ || !reader_.can_skip()) {
          failure_ = std::current_exception();
          break;
        }
        ++skipped_;
        warn(error.what());
        out.errors.push_back(one_line(error.what()));
      }
    }
    rows_ += out.errors.size();
    return out;
  }
  std::size_t skipped() const { return skipped_; }

 private:
  void add_to(Dataset& data) const {
    try {
      data.add(example_);
    } catch (const Error& error) {
      throw InputError(reader_.location(), error.what());
    }
  }
  static std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return text;
  }

  ExampleReader& reader_;
  bool skip_;
  Example example_;
  std::exception_ptr failure_;
  std::size_t rows_ = 0;
  std::size_t skipped_ = 0;
};

std::string rows_of(const Piece& piece, const Predictions& predictions, PredictionRows& rows) {
  const TextColumn* const ids = ids_of(piece.data);
  std::string out;
  std::size_t example = 0;
  for (const std::string& error : piece.errors) {
    if (!error.empty()) {
      out += rows.error_row(error);
      continue;
    }
    out += rows.row(predictions, example, ids == nullptr ? std::nullopt : ids->texts[example]);
    ++example;
  }
  return out;
}

/// Errors name examples by their numbers in the whole input.
Predictions predicted(const Model& model, const Piece& piece, const Context& context) {
  try {
    return predict(model, piece.data, context);
  } catch (const ExampleError& error) {
    throw ExampleError(piece.row_of(error.example()), error.message());
  }
}

void run(const PredictCommand& options) {
  if (options.json) {
    output_suffix(options.output, {".jsonl", ".json", ""});
  } else {
    output_suffix(options.output, {".tsv", ".txt", ""});
  }
  check_outputs({options.output}, {options.model, options.data});
  Model model = load_model_with(options.model, options.vectors);
  if (options.probabilities && !has_probabilities(model)) {
    throw Error("the model has no probabilities: train it with --probabilities, or a network");
  }
  if (auto* found = std::get_if<Classification>(&model.decision); !options.probabilities && found) {
    found->probabilities = {};
  }
  ReadOptions read = as_trained(options.read, *options.read_flags, model);
  read.needs_classes = false;
  const auto reader = read_as_trained(model, [&] { return open_reader(options.data, read); });
  const Context context = options.work.context("predict");
  const bool skip = options.on_error == "skip";
  PredictionRows rows(model, options.probabilities, skip, options.json);
  Sink output(options.output);
  PieceReader pieces(*reader, skip);
  bool first = true;
  for (Piece piece; !piece.last;) {
    piece = pieces.next();
    piece.data.set_reading(reading_settings(read));
    Predictions predictions;
    if (piece.data.size() > 0) {
      if (std::exchange(first, false)) check_data(model, piece.data, options.strict);
      predictions = predicted(model, piece, context);
    }
    if (piece.before == 0) output.write(rows.head(ids_of(piece.data) != nullptr));
    output.write(rows_of(piece, predictions, rows));
    output.flush();
  }
  if (pieces.skipped() > 0) warn(counted(pieces.skipped(), "example") + " skipped");
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
  command->add_flag("--json", options->json, "write a JSON object for each example, one per line");
  command
      ->add_option("--on-error", options->on_error,
                   "what to do at an example that cannot be read: stop, or skip it and say why in\n"
                   "a last column (one example per line: tsv, klp, svm, terms, glycan)")
      ->check(CLI::IsMember(std::vector<std::string>{"stop", "skip"}))
      ->option_text("stop|skip [stop]");
  command->add_flag("--strict", options->strict,
                    "refuse data that was read in another way than in training, or whose labels\n"
                    "were mostly never seen, instead of warning");
  add_vectors_option(*command, options->vectors);
  options->read_flags = add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "Writes TSV with a header: the id if examples have one, the label (several with blanks "
      "between\n"
      "them), and a score for each class. Examples are read piece by piece: a stream may be of any "
      "length, and rows are\n"
      "written before reading waits for more.\n\n"
      "Example:\n  espalier predict q.model examples/questions/test.tsv | head -3");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
