#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "espalier/io/part_file.hpp"

namespace espalier::cli {

/// The option --resume: what is finished is kept in OUTPUT.part until the output is in place, and a
/// run that was interrupted goes on from there.
struct ResumeOption {
  bool given = false;

  /// `kept` says what is kept where.
  void add_to(CLI::App& command, const std::string& kept);
  /// Null if the option was not given. request(), which is asked for only then, tells what is
  /// computed from everything else. Throws Error if no file can stand beside the output.
  std::unique_ptr<PartFile> open(const std::string& output,
                                 const std::function<std::string()>& request) const;
};

}  // namespace espalier::cli
