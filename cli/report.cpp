#include "espalier/explain/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "report_results.hpp"

namespace espalier::cli {

namespace {

/// In the order of WeightShape.
const std::vector<std::string> shapes = {"identity", "smoothstep", "smoothstep2", "threshold"};

struct ReportCommand {
  std::string data;
  std::string model;
  std::vector<std::string> results;
  std::string figure;
  std::string output;
  ReadOptions read;
  ReportOptions report;
  bool no_labels = false;
  std::string shape = "smoothstep";
};

/// The file with the folder that it is in: many are called train.tsv.
std::string name_of(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.parent_path().filename() / whole.filename()).string();
}

std::string output_of(const ReportCommand& command) {
  std::string path = !command.output.empty()  ? command.output
                     : command.figure.empty() ? "report.html"
                                              : command.figure + ".svg";
  if (command.figure.empty()) {
    output_suffix(path, {".html", ".htm"});
  } else {
    output_suffix(path, {".svg"});
  }
  std::vector<std::string> inputs = command.results;
  inputs.insert(inputs.end(), {command.data, command.model});
  check_outputs({path}, inputs);
  return path;
}

void run(const ReportCommand& command) {
  Sink output(output_of(command));
  ReportOptions options = command.report;
  options.labels = !command.no_labels;
  options.shape =
      static_cast<WeightShape>(std::ranges::find(shapes, command.shape) - shapes.begin());
  options.name = name_of(command.data);
  std::optional<Model> model;
  if (!command.model.empty()) model = load_model(command.model);
  const Dataset data = read(command.data, command.read);
  Report report = make_report(data, options, model ? &*model : nullptr);
  for (const std::string& file : command.results) {
    for (ResultSeries& series : read_results(file)) report.results.push_back(std::move(series));
  }
  finish(output, command.figure.empty() ? report_html(report) : report_svg(report, command.figure));
}

}  // namespace

void add_report(CLI::App& program) {
  auto* command =
      program.add_subcommand("report", "Draw what distinguishes the classes, as one HTML file");
  auto options = std::make_shared<ReportCommand>();
  command->add_option("data", options->data, "examples with trees")->required();
  command->add_option("-o,--output", options->output,
                      "the file to write; report.html, or FIGURE.svg, if not given");
  command
      ->add_option(
          "--svg", options->figure,
          fmt::format("write one figure only, as SVG: {}", fmt::join(figure_names(), ", ")))
      ->type_name("FIGURE")
      ->check(CLI::IsMember(figure_names()).description(""));
  command->add_option("--tree", options->report.tree, "which tree, if examples have several");
  command->add_flag("--unordered", options->report.unordered, "ignore the order of children");
  command->add_flag("--no-labels", options->no_labels, "ignore labels: only shapes count");
  command
      ->add_option("--f", options->shape,
                   fmt::format("how weights rise with discriminance: {}", fmt::join(shapes, ", ")))
      ->type_name("SHAPE")
      ->capture_default_str()
      ->check(CLI::IsMember(shapes).description(""));
  command->add_option("--model", options->model,
                      "a model: if it has learned weights of subtrees, these are shown");
  command->add_option("--results", options->results,
                      "JSON files with results over splits, for box plots");
  add_read_options(*command, options->read);
  command->footer(
      "The file needs no network: open it in a browser, print it, send it. Subtrees are coloured "
      "by\n"
      "the class that they indicate, by presence or by absence, and sized by their weight\n"
      "(discriminance). Without classes they are coloured by how frequent they are.\n\n"
      "Results are what 'espalier cv --json' prints, with numbers for each split:\n"
      "  {\"results\": [{\"kernel\": \"st()\", \"splits\": [{\"accuracy\": 0.9, ..}, ..]}, ..]}\n\n"
      "Examples:\n"
      "  espalier report examples/questions/train.tsv -o questions.html\n"
      "  espalier report examples/questions/train.tsv --svg forest -o forest.svg");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
