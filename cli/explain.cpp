#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/explain/explanation.hpp"
#include "espalier/io/format.hpp"
#include "json.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

/// Examples on a page: browsers become slow with more.
constexpr std::size_t page_limit = 1000;

struct ExplainCommand {
  std::string model;
  std::string data;
  std::string output = "-";
  std::size_t top = 3;
  std::vector<std::size_t> only;
  ReadOptions read;
  std::shared_ptr<ParameterFlags> read_flags;
  std::string vectors;
  bool strict = false;
  WorkOptions work;
};

Json score_json(const ExplainedScore& score, std::size_t top) {
  Json out = {{"class", score.name}, {"score", score.score}, {"bias", score.bias}};
  for (const auto& rest : score.rest) out["rest"][rest.name] = rest.value;
  for (const SubtreeContribution& share : score.subtrees) out["subtrees"].push_back(to_json(share));
  for (const FragmentContribution& share : score.fragments) {
    out["fragments"].push_back(to_json(share));
  }
  const std::size_t size = score.landmarks.size();
  double others = 0;  // with these the parts add up to the score
  for (std::size_t k = 0; k < size; ++k) {
    if (k < top || size - k <= top) {
      out["landmarks"].push_back(to_json(score.landmarks[k]));
    } else {
      others += score.landmarks[k].value;
    }
  }
  if (size > 0) {
    out["other_landmarks"] = others;
    out["like_none"] = score.like_none;
  }
  return out;
}

Json explanation_json(const Explanation& explanation, std::size_t top) {
  Json out = {{"example", explanation.example},
              {"id", to_json(explanation.id)},
              {"text", explanation.text},
              {"labels", explanation.labels},
              {"sentence", explanation_sentence(explanation)},
              {"decision", score_json(explanation.decision, top)}};
  for (const ExplainedScore& rival : explanation.rivals) {
    out["rivals"].push_back(score_json(rival, top));
  }
  return out;
}

/// Which examples, counted from 0.
std::vector<std::uint32_t> wanted(const ExplainCommand& options, std::size_t size) {
  std::vector<std::uint32_t> out;
  for (const std::size_t number : options.only) {
    if (number == 0 || number > size) {
      throw Error(
          fmt::format("there is no example {}: they are numbered from 1 to {}", number, size));
    }
    out.push_back(static_cast<std::uint32_t>(number - 1));
  }
  if (options.only.empty()) {
    out.resize(size);
    std::iota(out.begin(), out.end(), 0U);
  }
  return out;
}

/// Explains in batches: each reads all weights of the model, and its explanations are in memory.
template <class Use>
void for_each_explanation(const ExplainCommand& options, const Model& model, const Dataset& data,
                          std::span<const std::uint32_t> examples, Use&& use) {
  constexpr std::size_t batch = 1024;
  const std::size_t fragments = std::max<std::size_t>(12, 2 * options.top);
  const Context context = options.work.context("explain");
  Context quiet = context;
  quiet.progress = nullptr;
  for (std::size_t begin = 0; begin < examples.size(); begin += batch) {
    const auto part = examples.subspan(begin, std::min(batch, examples.size() - begin));
    for (Explanation& explanation : explain(model, data, part, quiet, fragments)) use(explanation);
    if (context.progress) {
      context.progress(static_cast<double>(begin + part.size()) /
                       static_cast<double>(examples.size()));
    }
  }
}

void run(const ExplainCommand& options) {
  const std::string suffix = output_suffix(options.output, {".txt", ".html", ".json", ""});
  check_outputs({options.output}, {options.model, options.data});
  Sink output(options.output);
  const Model model = load_model_with(options.model, options.vectors);
  ReadOptions how = as_trained(options.read, *options.read_flags, model);
  how.needs_classes = false;
  const Dataset data = read_as_trained(model, [&] { return read(options.data, how); });
  check_data(model, data, options.strict);
  const bool page = suffix == ".html", json = suffix == ".json";
  std::vector<std::uint32_t> examples = wanted(options, data.size());
  const std::size_t omitted =
      page && examples.size() > page_limit ? examples.size() - page_limit : 0;
  if (omitted > 0) {
    warn(
        fmt::format("the page has the first {} of {} examples: choose others with --only, or write "
                    "all of them to .json or .txt",
                    page_limit, examples.size()));
    examples.resize(page_limit);
  }
  std::vector<Explanation> kept;
  Json list = Json::array();
  for_each_explanation(options, model, data, examples, [&](Explanation& explanation) {
    if (page) {
      kept.push_back(std::move(explanation));
    } else if (json) {
      list.push_back(explanation_json(explanation, options.top));
    } else {
      output.write(printable(explanation_text(explanation, options.top), "\n") + "\n");
    }
  });
  if (page) output.write(explanation_page(kept, options.data, options.top, omitted));
  if (json) output.write(json_text(list));
  output.commit();
}

}  // namespace

void add_explain(CLI::App& program) {
  auto* command = program.add_subcommand("explain", "Say why a model decides as it does");
  auto options = std::make_shared<ExplainCommand>();
  command->add_option("model", options->model, "the model file")->required();
  command->add_option("data", options->data, "the examples to explain the decisions about")
      ->required();
  command->add_option(
      "-o,--output", options->output,
      "a file for text, or .html for coloured trees (of 1,000 examples at most), or .json\n"
      "[standard output]");
  command->add_option("--top", options->top, "how many landmarks and fragments of each kind")
      ->check(above_zero)
      ->capture_default_str();
  command->add_option("--only", options->only, "these examples only, counted from 1")
      ->delimiter(',');
  command->add_flag("--strict", options->strict,
                    "refuse data that was read in another way than in training, or whose labels\n"
                    "were mostly never seen, instead of warning");
  add_vectors_option(*command, options->vectors);
  options->read_flags = add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "A kernel machine's score is taken apart exactly into what each fragment of the example\n"
      "contributed or, for kernels without fragments, each distinct subtree. A model on landmarks\n"
      "(linear or kda) says which of them the example is like, by relevance propagated back from\n"
      "the score; relevances add up to it.\n\n"
      "Examples:\n"
      "  espalier explain q.model examples/questions/test.tsv --only 1,2\n"
      "  espalier explain q.model examples/questions/test.tsv -o why.html");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
