#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace espalier::cli {

/// The group of options that --help shows. Groups that begin with more_group are for --help-all.
inline const std::string common_group = "Options";
inline const std::string more_group = "More options";

/// Prints help in two columns: options with a placeholder for their value, descriptions with the
/// default in brackets.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_groups(const CLI::App* app, CLI::AppFormatMode mode) const;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;

  /// Reference text that --help-all shows at the end.
  std::map<const CLI::App*, std::string> details;
};

/// Adds reference text to the --help-all of a command.
void add_details(const CLI::App& command, std::string text);

}  // namespace espalier::cli
