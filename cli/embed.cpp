#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/embed/explicit_features.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/matrix.hpp"
#include "espalier/model/model.hpp"
#include "text.hpp"

namespace espalier::cli {

namespace {

struct EmbedCommand {
  std::string method;
  std::string kernel;
  std::string model;
  std::string data;
  std::string fit;
  std::string output;
  std::string names;
  ReadOptions read;
};

Kernel kernel_of(const EmbedCommand& options) {
  if (!options.kernel.empty()) return Kernel(options.kernel);
  if (!options.model.empty()) return load_model(options.model).functions.kernel();
  return Kernel("st()");
}

void write_names(const ExplicitFeatures& features, const std::string& path) {
  Sink sink(path);
  for (std::size_t c = 0; c < features.columns(); ++c) sink.write(features.name(c) + "\n");
  sink.commit();
}

void run(const EmbedCommand& options) {
  const bool npz = options.output.ends_with(".npz");
  ExplicitFeatures features(kernel_of(options));
  const Dataset data = read(options.data, options.read);
  Sink sink(options.output);
  features.fit(options.fit.empty() ? data : read(options.fit, options.read));
  const SparseMatrix matrix = features.transform(data);
  if (npz) {
    write_npz(sink, matrix);
  } else {
    write_svmlight(sink, matrix, data);
  }
  sink.commit();
  if (!options.names.empty()) write_names(features, options.names);
  fmt::print(stderr, "{}: {}, {}, {}\n", options.output, counted(matrix.rows(), "row"),
             counted(matrix.columns(), "column"), counted(matrix.value_count(), "value"));
}

}  // namespace

void add_embed(CLI::App& program) {
  auto* command = program.add_subcommand("embed", "Turn examples into vectors");
  auto options = std::make_shared<EmbedCommand>();
  options->read.warn = warn;
  command->add_option("data", options->data, "the examples: a row each")->required();
  command->add_option("--method", options->method, "subtree: a column for each distinct subtree")
      ->required()
      ->check(CLI::IsMember({"subtree"}));
  auto* kernel = command->add_option("-k,--kernel", options->kernel,
                                     "st(..), linear(..), their norms and sums [st()]");
  command->add_option("--model", options->model, "the kernel of this model, with learned weights")
      ->excludes(kernel);
  command->add_option("--fit", options->fit, "examples that say which columns there are [data]");
  command
      ->add_option("-o,--output", options->output,
                   "the file to write: .npz for SciPy, else the svmlight format")
      ->required();
  command->add_option("--names", options->names, "a file for the names of the columns, one a line");
  command->add_option("--from", options->read.format, "format of the data, if not as it looks");
  command->footer(
      "The dot product of two rows is the kernel of the two examples.\n\n"
      "Examples:\n"
      "  espalier embed --method subtree -k 'norm(st(decay=0.5))' examples/questions/train.tsv "
      "-o train.npz\n"
      "  espalier embed --method subtree --fit examples/questions/train.tsv "
      "examples/questions/test.tsv -o test.svm");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
