#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/data/summary.hpp"
#include "espalier/io/format.hpp"
#include "espalier/model/model.hpp"
#include "help.hpp"
#include "json.hpp"
#include "learning.hpp"
#include "reading.hpp"
#include "words.hpp"

namespace espalier::cli {

namespace {

struct InfoOptions {
  std::vector<std::string> files;
  ReadOptions read;
  std::string vectors;
  bool json = false;
};

Json with_name(const std::string& file, const Summary& summary) {
  Json out = {{"file", file}};
  out.update(to_json(summary));
  return out;
}

/// Formats of a row: for counts of things, and for any numbers.
constexpr auto counts_row = "    {:<12}{:>9.0f}{:>9.0f}{:>9.1f}{:>9.0f}{:>9.0f}\n";
constexpr auto numbers_row = "    {:<12}{:>9.4g}{:>9.4g}{:>9.4g}{:>9.4g}{:>9.4g}\n";

void print_distribution(const char* row, std::string_view name, const Distribution& d,
                        std::string& out) {
  out += fmt::format(fmt::runtime(row), name, d.min, d.median, d.mean, d.p95, d.max);
}

constexpr std::string_view distribution_head =
    "                      min   median     mean     95 %      max\n";

void print_labels(const Summary& s, std::string& out) {
  if (!s.classes.empty()) {
    out += fmt::format("  {}\n", counted(s.classes.size(), "class", "es"));
    constexpr std::size_t most = 20;
    for (std::size_t i = 0; i < std::min(most, s.classes.size()); ++i) {
      const auto& [name, count] = s.classes[i];
      out += fmt::format("    {:<18} {:>9} {:>6.1f} %\n", name, grouped(count),
                         100.0 * static_cast<double>(count) / static_cast<double>(s.examples));
    }
    if (s.classes.size() > most) out += fmt::format("    and {} more\n", s.classes.size() - most);
  }
  if (!s.numbers.empty()) {
    out += fmt::format("  numbers\n{}", distribution_head);
    for (const auto& [name, values] : s.numbers) {
      print_distribution(numbers_row, name.empty() ? "(no name)" : name, values, out);
    }
  }
  if (s.unlabelled > 0) out += fmt::format("  {} without a class\n", grouped(s.unlabelled));
}

std::string to_text(const std::string& file, const Summary& s) {
  std::string out =
      fmt::format("{}: {}{}\n", file, counted(s.examples, "example"), s.pairs ? ", pairs" : "");
  print_labels(s, out);
  for (const ForestSummary& t : s.trees) {
    out += fmt::format("  tree '{}': {}, {}, {} ({:.2f} times smaller), {}, {}\n", t.name,
                       counted(t.trees, "tree"), counted(t.nodes, "node"),
                       counted(t.distinct_subtrees, "distinct subtree"), t.compression,
                       counted(t.distinct_productions, "production"),
                       counted(t.distinct_labels, "label"));
    out += distribution_head;
    print_distribution(counts_row, "nodes", t.size, out);
    print_distribution(counts_row, "height", t.height, out);
    print_distribution(counts_row, "outdegree", t.outdegree, out);
  }
  for (const VectorSummary& v : s.vectors) {
    out += fmt::format("  {} vector '{}': {}, {}, {}\n", v.dense ? "dense" : "sparse", v.name,
                       counted(v.vectors, "example"),
                       v.dense ? counted(v.features, "dimension") : counted(v.features, "feature"),
                       counted(v.values, "value"));
  }
  if (!s.texts.empty()) {
    out +=
        fmt::format("  {}: {}\n", s.texts.size() == 1 ? "text" : "texts", fmt::join(s.texts, ", "));
  }
  return out;
}

std::string settings_text(std::span<const Setting> settings) {
  std::string out;
  for (const auto& [name, value] : settings) out += fmt::format(" {}={}", name, value);
  return out.empty() ? " defaults" : out;
}

std::string provenance_text(const Provenance& from) {
  if (from.version.empty()) return "  written by a version that did not record its parameters\n";
  std::string out = fmt::format("  trained by version {} on {}\n  parameters{}\n", from.version,
                                from.data, settings_text(from.parameters));
  if (from.reading) out += fmt::format("  data read with{}\n", settings_text(*from.reading));
  return out;
}

std::string describe_model(const std::string& file, bool json) {
  const Model model = load_model(file);
  const FunctionsSummary functions = model.functions.summary();
  const char* const task = name_of(model.task());
  if (json) {
    Json out = {{"file", file},
                {"kernel", model.functions.kernel().to_string()},
                {"task", task},
                {"classes", model.classes()},
                {"multi_label", model.multi_label()},
                {"probabilities", has_probabilities(model)},
                {"decision_functions", decision_functions(model.decision).size()},
                {"training", to_json(model.training)},
                {"provenance", to_json(model.provenance)},
                {"functions", to_json(functions)}};
    if (const FragmentScores* scores = model.fragments()) {
      out["features"] = {{"columns", scores->features.columns()},
                         {"hashed", scores->features.hashed()}};
    }
    return json_text(out);
  }
  std::string out = fmt::format("{}: a {} model\n  kernel  {}\n", file, task,
                                model.functions.kernel().to_string());
  if (!model.classes().empty())
    out += fmt::format("  classes {}\n", fmt::join(model.classes(), ", "));
  out += fmt::format("  learned by {} from {}", model.training.learner,
                     counted(model.training.examples, "example"));
  if (!model.training.converged) out += ", stopped before it converged";
  if (model.training.support_vectors > 0) {
    out += fmt::format(", {} of them {}", grouped(model.training.support_vectors),
                       model.landmarks() != nullptr ? "landmarks" : "support vectors");
    // What other programs, and papers, count.
    if (model.training.learner != "linear") {
      out += fmt::format("\n  a prediction stands for {}",
                         counted(model.training.support_vectors, "kernel evaluation"));
    }
  }
  out += "\n  holds " + model_size(model);
  if (functions.support_vectors > 0) {
    out += fmt::format(", and {} whole", counted(functions.support_vectors, "support vector"));
  }
  out += has_probabilities(model) ? "; gives probabilities\n" : "\n";
  return printable(out + provenance_text(model.provenance), "\n");
}

void info(const InfoOptions& options) {
  Sink output("-");
  for (const std::string& file : options.files) {
    if (is_model_file(file)) {
      output.write(describe_model(file, options.json));
      continue;
    }
    const Dataset data = read(file, options.read);
    const Summary summary = summarize(data);
    if (options.json) {
      output.write(json_text(with_name(file, summary)));
    } else {
      std::string text = to_text(file, summary);
      if (!options.vectors.empty()) text += coverage_text(data, options.vectors);
      output.write(printable(text, "\n"));
    }
  }
  output.commit();
}

}  // namespace

void add_info(CLI::App& program) {
  auto* command = program.add_subcommand(
      "info", "Describe data (trees, classes, distinct subtrees) or a model");
  auto options = std::make_shared<InfoOptions>();
  command->add_option("files", options->files, "data or models to describe")->required();
  auto* json = command->add_flag("--json", options->json, "print one JSON object for each file");
  command
      ->add_option("--vectors", options->vectors,
                   "tell how many words of the trees have a vector in this file")
      ->excludes(json);
  add_read_options(*command, options->read);
  add_details(*command, describe_formats());
  command->footer("Example:\n  espalier info examples/questions/train.tsv");
  command->callback([options] { info(*options); });
}

}  // namespace espalier::cli
