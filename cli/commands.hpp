#pragma once

#include <CLI/CLI.hpp>

/// One function for each command, in a file of its own: it adds the command with its options and
/// what it does to the program. main.cpp lists them.
namespace espalier::cli {

void add_cluster(CLI::App& program);
void add_compare(CLI::App& program);
void add_convert(CLI::App& program);
void add_curve(CLI::App& program);
void add_cv(CLI::App& program);
void add_embed(CLI::App& program);
void add_evaluate(CLI::App& program);
void add_explain(CLI::App& program);
void add_fragments(CLI::App& program);
void add_gram(CLI::App& program);
void add_info(CLI::App& program);
void add_kernel(CLI::App& program);
void add_predict(CLI::App& program);
void add_report(CLI::App& program);
void add_select(CLI::App& program);
void add_similarity(CLI::App& program);
void add_train(CLI::App& program);
void add_tune(CLI::App& program);

/// The names of all formats with a line about each, for --help.
std::string describe_formats();

/// Empty if there is a format of that name, else what to say about it. For CLI11's check().
std::string check_format(const std::string& name);

/// Prints a warning to standard error.
void warn(const std::string& message);

}  // namespace espalier::cli
