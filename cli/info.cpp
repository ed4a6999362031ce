#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <ranges>

#include "commands.hpp"
#include "espalier/base/number.hpp"
#include "espalier/data/summary.hpp"
#include "espalier/io/format.hpp"

namespace espalier::cli {

namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::vector<std::string> files;
  ReadOptions read;
  bool json = false;
};

/// A struct that lists its fields() as an object; what can be walked, but for text, as an array.
template <class T>
Json to_json(const T& value) {
  if constexpr (requires { value.fields([](auto&&...) {}); }) {
    Json out = Json::object();
    value.fields([&](const char* name, const auto& member) { out[name] = to_json(member); });
    return out;
  } else if constexpr (std::ranges::range<T> && !std::is_same_v<T, std::string>) {
    Json out = Json::array();
    for (const auto& element : value) out.push_back(to_json(element));
    return out;
  } else {
    return value;
  }
}

Json to_json(const std::string& file, const Summary& summary) {
  Json out = {{"file", file}};
  out.update(to_json(summary));
  return out;
}

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view what,
                    std::string_view plural_end = "s") {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : plural_end);
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

void info(const InfoOptions& options) {
  Sink output("-");
  for (const std::string& file : options.files) {
    const Summary summary = summarize(read(file, options.read));
    if (options.json) {
      // Labels are bytes; what is not UTF-8 shows as U+FFFD.
      output.write(to_json(file, summary).dump(2, ' ', false, Json::error_handler_t::replace) +
                   "\n");
    } else {
      output.write(to_text(file, summary));
    }
  }
  output.commit();
}

}  // namespace

void add_info(CLI::App& program) {
  auto* command =
      program.add_subcommand("info", "Describe data: trees, classes, distinct subtrees");
  auto options = std::make_shared<InfoOptions>();
  options->read.warn = warn;
  command->add_option("files", options->files, "the files to describe")->required();
  command->add_flag("--json", options->json, "print one JSON object for each file");
  command->add_option("--from", options->read.format, "format of the files, if not as they look")
      ->check(check_format);
  command->footer(describe_formats() +
                  "\n\nExample:\n  espalier info examples/questions/train.tsv");
  command->callback([options] { info(*options); });
}

}  // namespace espalier::cli
