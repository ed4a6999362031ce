#pragma once

#include <CLI/CLI.hpp>

#include "espalier/base/context.hpp"
#include "parameters.hpp"

namespace espalier::cli {

/// Accepts numbers above 0. CLI11's own check would quote the largest double.
extern const CLI::Validator above_zero;

/// The options of every command that computes for long: --threads, --memory, --quiet.
struct WorkOptions {
  bool quiet = false;

  void add_to(CLI::App& command);
  /// A context with these, that shows a progress bar on a terminal and stops at Ctrl-C.
  Context context(const std::string& what) const;

 private:
  Context limits_;
  ParameterFlags flags_;
};

}  // namespace espalier::cli
