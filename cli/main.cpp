#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
#include "espalier/version.hpp"
#include "help.hpp"
#include "output.hpp"

namespace espalier::cli {

std::string describe_formats() {
  std::string out = "Formats (by suffix, or else by content):\n";
  for (const Format& format : formats()) {
    std::string suffixes;
    for (const std::string_view suffix : format.suffixes) suffixes += fmt::format(" {}", suffix);
    out += fmt::format("  {:<12} {}\n  {:<12} {}", format.name, format.description, "",
                       format.writer == nullptr ? "for reading" : "for reading and writing");
    out += suffixes.empty() ? "\n" : fmt::format("; suffixes:{}\n", suffixes);
  }
  return out + "Files may be gzipped; '-' is standard input or output.\n";
}

std::string check_format(const std::string& name) {
  try {
    format_named(name);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

void warn(const std::string& message) { tell("espalier: warning: " + message); }

namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;
constexpr int interrupted = 130;

int complain(std::string_view message, int code) {
  tell(fmt::format("espalier: {}", message));
  return code;
}

/// What to say about a first word that is no command; empty if it is one.
std::string unknown_command(const CLI::App& program, std::string_view word) {
  std::vector<std::string> names;
  for (const auto* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, word) != names.end()) return {};
  const std::string near = nearest(word, names);
  return fmt::format("there is no command {}{} (see --help)", in_quotes(word),
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

/// Runs the command; returns the exit code.
int parse(CLI::App& program, int argc, char** argv) {
  try {
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& request) {  // --help and --version
    std::ostringstream text;
    const int code = program.exit(request, text, text);
    print(text.str());
    return code;
  }
}

/// Sets up the commands and runs the one that is named; returns the exit code.
int run(int argc, char** argv) {
  CLI::App program("Machine learning on trees: tree kernels on one forest of distinct subtrees.",
                   "espalier");
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_help_flag("-h,--help", "the most common options, with an example");
  program.set_help_all_flag("--help-all", "all options");
  program.set_version_flag("--version", std::string("espalier ") + version);
  program.require_subcommand(1);
  program.footer(
      "'espalier COMMAND --help' explains a command and shows an example.\n\n"
      "Example:\n  espalier info examples/questions/train.tsv");
  add_info(program);
  add_convert(program);
  add_kernel(program);
  add_similarity(program);
  add_gram(program);
  add_embed(program);
  add_train(program);
  add_predict(program);
  add_evaluate(program);
  add_explain(program);
  add_fragments(program);
  add_select(program);
  add_cv(program);
  add_tune(program);
  add_curve(program);
  add_compare(program);
  add_cluster(program);
  add_report(program);
  // CLI11 would only say that a command is missing.
  if (argc > 1 && argv[1][0] != '-') {
    const std::string unknown = unknown_command(program, argv[1]);
    if (!unknown.empty()) return complain(unknown, wrong_usage);
  }
  return parse(program, argc, argv);
}

/// Also tells what went wrong.
int run_and_report(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{} (see --help)", error.what()), wrong_usage);
  } catch (const Cancelled&) {
    return complain("interrupted", interrupted);
  } catch (const Error& error) {
    return complain(error.what(), failed);
  } catch (const OutOfMemory& error) {
    return complain(error.what(), failed);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // a bug of ours, but a user should still read one line
    return complain(fmt::format("unexpected: {}", error.what()), failed);
  }
}

}  // namespace
}  // namespace espalier::cli

int main(int argc, char** argv) {
  // A reader that closes the pipe, or a limit on the size of files, makes writing fail with an
  // error that we report ourselves.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return espalier::cli::run_and_report(argc, argv);
  } catch (const std::bad_alloc&) {  // perhaps of the report: this one takes no memory
    std::fputs("espalier: out of memory\n", stderr);
    return 1;
  }
}
