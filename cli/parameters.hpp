#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/parameter.hpp"

namespace espalier::cli {

/// "input_dropout" as "--input-dropout"; one letter as "-C".
std::string flag_of(std::string_view name);

/// The parameters of an options struct as flags of a command.
class ParameterFlags {
 public:
  /// Adds a flag for each parameter but those named in `except`. A true/false parameter without
  /// words of its own is --name, or --no-name if it is true by default. `options` must outlive the
  /// command.
  template <class Options>
  void add_to(CLI::App& command, Options& options,
              std::initializer_list<std::string_view> except = {}) {
    parameters_ = std::make_shared<Parameters>(options);
    add_flags(command, except);
  }

  /// The names of those that were given on the command line.
  std::vector<std::string> given() const;
  /// Throws Error if one was given that `user`, a learner or method, does not use.
  void check_use(std::string_view user) const;
  /// The flag of a parameter, for what the table cannot say.
  CLI::Option* option(std::string_view name) const;

 private:
  void add_flags(CLI::App& command, std::initializer_list<std::string_view> except);
  CLI::Option* add_flag(CLI::App& command, const ParameterRow& row);

  std::shared_ptr<Parameters> parameters_;
  std::vector<std::pair<std::string, CLI::Option*>> flags_;
};

}  // namespace espalier::cli
