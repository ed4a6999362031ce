#pragma once

#include <CLI/CLI.hpp>

#include "espalier/io/read_options.hpp"

namespace espalier::cli {

/// Adds the options of every command that reads data: --format, how documents and sentences become
/// trees, limits.
void add_read_options(CLI::App& command, ReadOptions& options);

}  // namespace espalier::cli
