#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/evaluate/regression.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/io/format.hpp"
#include "json.hpp"
#include "output.hpp"
#include "parameters.hpp"
#include "reading.hpp"
#include "words.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct SimilarityCommand {
  std::string kernel;
  std::string data;
  std::string output = "-";
  bool json = false;
  NystroemOptions nystroem = {.landmarks = 0};
  ParameterFlags nystroem_flags;
  ReadOptions read;
  WorkOptions work;
};

/// The members of pairs, each side in a data set of its own, and the number that a pair carries.
struct Pairs {
  Dataset a;
  Dataset b;
  std::vector<std::optional<double>> numbers;
  std::vector<std::optional<std::string>> ids;

  bool has_ids() const {
    return std::ranges::any_of(ids, [](const auto& id) { return id.has_value(); });
  }
  std::size_t size() const { return numbers.size(); }
};

std::optional<double> number_of(const Example& example) {
  for (const Label& label : example.labels) {
    if (const auto number = label.value ? label.value : parse_number(label.name)) return number;
  }
  return std::nullopt;
}

Pairs read_pairs(const SimilarityCommand& options) {
  Pairs out;
  const auto reader = open_reader(options.data, options.read);
  for (Example example; reader->next(example);) {
    if (example.members.size() != 2) {
      throw Error(fmt::format("example {} is no pair: similarity is between the two members of one",
                              out.size() + 1));
    }
    out.a.add(example.members[0]);
    out.b.add(example.members[1]);
    out.numbers.push_back(number_of(example));
    const auto id = std::ranges::find(example.texts, "id", &Named<std::string>::name);
    out.ids.push_back(id == example.texts.end() ? std::nullopt : std::optional(id->value));
  }
  return out;
}

/// How a kernel agrees with the numbers that some of the pairs carry.
struct Agreement {
  std::string kernel;
  std::uint64_t pairs = 0;
  std::uint64_t numbers = 0;
  std::optional<double> pearson;
  std::optional<double> spearman;

  void fields(auto&& field) const {
    field("kernel", kernel);
    field("pairs", pairs);
    field("numbers", numbers);
    field("pearson", pearson);
    field("spearman", spearman);
  }
};

Agreement agreement(const FittedKernel& kernel, const Pairs& pairs,
                    std::span<const double> values) {
  Agreement out{kernel.to_string(), pairs.size(), 0, {}, {}};
  std::vector<double> truth, similarity;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs.numbers[i]) continue;
    truth.push_back(*pairs.numbers[i]);
    similarity.push_back(values[i]);
  }
  out.numbers = truth.size();
  if (truth.empty()) return out;
  const RegressionScores scores = evaluate_regression(truth, similarity);
  out.pearson = scores.pearson;
  out.spearman = scores.spearman;
  return out;
}

std::string to_text(const Agreement& result) {
  std::string out = fmt::format("{}: {}", result.kernel, counted(result.pairs, "pair"));
  if (result.numbers == 0) return out + ", none with a number";
  if (result.numbers < result.pairs) out += fmt::format(", {} with a number", result.numbers);
  if (!result.pearson) return out + "; no correlation, as numbers or kernels are all equal";
  return out + fmt::format("; Pearson {:.4f}, Spearman {:.4f}", *result.pearson, *result.spearman);
}

/// A line for each pair: the kernels, and the number if any pair has one.
std::string table(std::span<const FittedKernel> kernels, const Pairs& pairs,
                  std::span<const std::vector<double>> values) {
  const bool numbers =
      std::ranges::any_of(pairs.numbers, [](const auto& n) { return n.has_value(); });
  std::string out = pairs.has_ids() ? "pair\tid" : "pair";
  for (const FittedKernel& kernel : kernels) out += "\t" + kernel.to_string();
  out += numbers ? "\tnumber\n" : "\n";
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    out += std::to_string(i + 1);
    if (pairs.has_ids()) out += "\t" + pairs.ids[i].value_or("");
    for (const auto& column : values) out += "\t" + print_number(column[i]);
    if (numbers) out += "\t" + (pairs.numbers[i] ? print_number(*pairs.numbers[i]) : "");
    out += "\n";
  }
  return out;
}

/// Dot products of the Nystroem vectors of both members, by landmarks out of all members.
std::vector<double> by_landmarks(const FittedKernel& kernel, const Pairs& pairs,
                                 const NystroemOptions& options, const Context& context) {
  Dataset all = pairs.a;
  for (std::size_t i = 0; i < pairs.size(); ++i) all.add(pairs.b.example(i));
  Nystroem nystroem(kernel, options);
  nystroem.fit(all, {}, context);
  const Matrix<float> vectors = nystroem.transform(all, context);
  std::vector<double> out(pairs.size(), 0.0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t k = 0; k < vectors.columns(); ++k) {
      out[i] +=
          static_cast<double>(vectors(i, k)) * static_cast<double>(vectors(pairs.size() + i, k));
    }
  }
  return out;
}

void run(const SimilarityCommand& options) {
  options.nystroem_flags.check_use("similarity");
  if (options.json) {
    output_suffix(options.output, {".json", ""});
  } else {
    output_suffix(options.output, {".tsv", ".txt", ""});
  }
  check_outputs({options.output}, {options.data});
  Sink output(options.output);
  const Pairs pairs = read_pairs(options);
  const std::vector<FittedKernel> kernels =
      look_up_words(sweep(options.kernel), {&pairs.a, &pairs.b}, options.work);
  const Context context = options.work.context("similarity");
  std::vector<std::vector<double>> values;
  std::vector<Agreement> agreements;
  for (const FittedKernel& kernel : kernels) {
    values.push_back(options.nystroem.landmarks > 0
                         ? by_landmarks(kernel, pairs, options.nystroem, context)
                         : aligned(kernel, pairs.a, pairs.b, context));
    agreements.push_back(agreement(kernel, pairs, values.back()));
  }
  finish(output, options.json ? json_text({{"results", to_json(agreements)}})
                              : table(kernels, pairs, values));
  if (options.json || options.work.quiet) return;
  for (const Agreement& each : agreements) tell(to_text(each));
}

}  // namespace

void add_similarity(CLI::App& program) {
  auto* command = program.add_subcommand(
      "similarity", "Compare the two members of each pair, and with numbers that people gave");
  auto options = std::make_shared<SimilarityCommand>();
  command->add_option("-k,--kernel", options->kernel, "the kernel of a member with the other")
      ->required();
  command->add_option("data", options->data, "pairs, with a number or without")->required();
  command->add_option("-o,--output", options->output, "the file to write [standard output]");
  command->add_flag("--json", options->json, "print the correlations only, as JSON");
  options->nystroem_flags.add_to(*command, options->nystroem);
  add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "Prints TSV, a line for each pair. Where pairs carry numbers, such as how similar people\n"
      "find them, the correlations of the kernel with these go to standard error.\n\n"
      "Example:\n"
      "  espalier similarity -k 'norm(sst(lambda={0.2,0.4}))' examples/formats/pairs.klp\n"
      "  espalier similarity -k 'norm(dtk(dim=1024))' examples/formats/pairs.klp");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
