#include "reading.hpp"

#include "commands.hpp"
#include "espalier/base/error.hpp"

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
  command.add_option("--from", options.format, "format of the data, if not as it looks")
      ->check(check_input_format);
  for (const NamedReadOption& option : read_options()) {
    const bool limit = option.name.starts_with("max-");
    command
        .add_option_function<std::string>(
            "--" + std::string(option.name),
            [&options, option](const std::string& value) {
              try {
                option.set(options, value);
              } catch (const Error& error) {
                throw CLI::ValidationError("--" + std::string(option.name), error.what());
              }
            },
            std::string(option.help))
        ->type_name(std::string(option.values))
        ->group(limit ? "Largest input" : "From documents to trees");
  }
}

}  // namespace espalier::cli
