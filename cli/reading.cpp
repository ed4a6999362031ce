#include "reading.hpp"

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/model/word_vectors.hpp"
#include "parameters.hpp"

namespace espalier::cli {

namespace {

/// The name of a format, or directory:NAME.
std::string check_input_format(const std::string& name) {
  constexpr std::string_view directory = "directory:";
  return check_format(name.starts_with(directory) ? name.substr(directory.size()) : name);
}

}  // namespace

std::shared_ptr<ParameterFlags> add_read_options(CLI::App& command, ReadOptions& options) {
  options.warn = warn;
  command.add_option("--format", options.format, "format of the data [by suffix, or by content]")
      ->option_text("NAME")
      ->check(check_input_format);
  auto flags = std::make_shared<ParameterFlags>();
  flags->add_to(command, options, {"format"});
  command.parse_complete_callback([flags, &options] {
    try {
      imply_format(options, flags->given());
    } catch (const Error& error) {
      throw CLI::ValidationError(error.what());
    }
  });
  return flags;
}

ReadOptions as_trained(const ReadOptions& options, const ParameterFlags& given,
                       const Model& model) {
  ReadOptions out = options;
  if (!model.provenance.reading) return out;
  const std::vector<std::string> names = given.given();
  Parameters parameters(out);
  for (const auto& [name, value] : *model.provenance.reading) {
    if (std::ranges::find(names, name) != names.end()) continue;
    parameters.set(name, parse_value(parameters.find(name), value, name));
  }
  return out;
}

void add_vectors_option(CLI::App& command, std::string& vectors) {
  command
      .add_option("--vectors", vectors,
                  "the file of word vectors, if it is not where it was in training or beside the\n"
                  "model; none: words that the model does not know have no vector")
      ->option_text("FILE|none");
}

Model load_model_with(const std::string& path, const std::string& vectors) {
  Model model = load_model(path);
  model.word_files.ignored = vectors == "none";
  if (!model.word_files.ignored) model.word_files.path = vectors;
  if (!vectors.empty() && model.word_files.digests.empty() &&
      word_coverage({&model.functions.kernel(), 1}).empty()) {
    throw Error("the kernel of the model has no word vectors: leave out --vectors");
  }
  return model;
}

void check_data(const Model& model, const Dataset& data, bool strict) {
  for (const std::string& warning : warnings_about(model, data)) {
    if (strict) throw Error(warning);
    warn(warning);
  }
}

}  // namespace espalier::cli
