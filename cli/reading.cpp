#include "reading.hpp"

#include <memory>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "parameters.hpp"

namespace espalier::cli {

namespace {

/// The name of a format, or directory:NAME.
std::string check_input_format(const std::string& name) {
  constexpr std::string_view directory = "directory:";
  return check_format(name.starts_with(directory) ? name.substr(directory.size()) : name);
}

}  // namespace

void add_read_options(CLI::App& command, ReadOptions& options) {
  options.warn = warn;
  command.add_option("--format", options.format, "format of the data [recognised by content]")
      ->option_text("NAME")
      ->check(check_input_format);
  const auto flags = std::make_shared<ParameterFlags>();
  flags->add_to(command, options, {"format"});
  command.parse_complete_callback([flags, &options] {
    try {
      imply_format(options, flags->given());
    } catch (const Error& error) {
      throw CLI::ValidationError(error.what());
    }
  });
}

}  // namespace espalier::cli
