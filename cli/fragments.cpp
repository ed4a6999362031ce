#include <fmt/format.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/explain/model_fragments.hpp"
#include "espalier/io/brackets.hpp"
#include "espalier/io/format.hpp"
#include "json.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "work.hpp"

namespace espalier::cli {

namespace {

struct FragmentsCommand {
  std::string model;
  std::string data;
  std::string tree;
  std::string kernel;
  std::string of_class;
  std::string output = "-";
  FragmentOptions search;
  ParameterFlags search_flags;
  ReadOptions read;
  std::shared_ptr<ParameterFlags> read_flags;
  WorkOptions work;
};

/// A field of a TSV file.
std::string field(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return out;
}

std::string table(const ModelFragments& all, bool of_tree) {
  const bool classes = !all.classes[0].empty(), terms = all.terms.size() > 1;
  std::string out = classes ? "class\t" : "";
  out += "weight\tsize";
  out += of_tree ? "\toccurrences" : "\tsubtrees";
  if (all.examples > 0 && !of_tree) out += "\texamples\toccurrences";
  if (terms) out += "\tkernel";
  out += "\tfragment\n";
  for (const auto& [number, found] : all.lists) {
    for (const WeightedFragment& each : found.fragments) {
      if (classes) out += field(all.classes[number]) + "\t";
      out += fmt::format("{:.6g}\t{}\t{}", each.weights[number], each.fragment.size,
                         of_tree ? each.occurrences : each.subtrees);
      if (all.examples > 0 && !of_tree)
        out += fmt::format("\t{}\t{}", each.examples, each.occurrences);
      if (terms) out += "\t" + field(all.terms[each.term]);
      out += "\t" + field(to_string(each.fragment)) + "\n";
    }
  }
  return out;
}

Json fragment_json(const ModelFragments& all, const WeightedFragment& each) {
  Json out = {{"fragment", to_string(each.fragment)}, {"size", each.fragment.size}};
  if (all.terms.size() > 1) out["kernel"] = all.terms[each.term];
  if (all.classes.size() == 1) {
    out["weight"] = each.weights[0];
  } else {
    for (std::size_t c = 0; c < all.classes.size(); ++c) {
      out["weights"][all.classes[c]] = each.weights[c];
    }
  }
  out["subtrees"] = each.subtrees;
  if (all.examples > 0) {
    out["examples"] = each.examples;
    out["occurrences"] = each.occurrences;
  }
  return out;
}

Json fragments_json(const ModelFragments& all) {
  Json lists = Json::array();
  for (const auto& [number, found] : all.lists) {
    Json list = {{"exact", found.exact}, {"bound", found.bound}, {"expansions", found.expansions}};
    if (!all.classes[0].empty()) list["class"] = all.classes[number];
    list["fragments"] = Json::array();
    for (const WeightedFragment& each : found.fragments) {
      list["fragments"].push_back(fragment_json(all, each));
    }
    lists.push_back(std::move(list));
  }
  return {{"kernel", all.kernel}, {"without_fragments", all.others}, {"lists", std::move(lists)}};
}

/// How sure the lists are.
std::string certificate(const std::string& name, const TopFragments& found) {
  std::string out = name.empty() ? "" : name + ": ";
  out += counted(found.fragments.size(), "fragment") + ", ";
  if (!found.exact) {
    return out + fmt::format(
                     "not exact: the search was stopped after {}; fragments that weigh more than "
                     "{:.4g} are all listed",
                     counted(found.expansions, "expansion"), found.bound);
  }
  return out + fmt::format("exact after {}", counted(found.expansions, "expansion"));
}

void check(const FragmentsCommand& options) {
  if (options.tree.empty() == options.model.empty()) {
    throw Error("give either a model, or a tree with --tree and its kernel with --kernel");
  }
  if (options.tree.empty() && !options.kernel.empty()) {
    throw Error("the kernel is that of the model: --kernel is for --tree");
  }
  if (!options.tree.empty() && options.kernel.empty()) {
    throw Error("--tree needs a kernel, which determines the fragments: -k 'sst()'");
  }
  if (!options.tree.empty() && !options.of_class.empty()) {
    throw Error("--class is for a model: the fragments of one tree have no classes");
  }
}

void write(const FragmentsCommand& options, const std::string& suffix, Sink& output,
           const ModelFragments& all, const Dataset* data) {
  if (suffix == ".html") {
    const std::string title = options.tree.empty() ? options.model : options.kernel;
    finish(output, fragments_page(all, title, data));
  } else {
    finish(output,
           suffix == ".json" ? json_text(fragments_json(all)) : table(all, !options.tree.empty()));
  }
  for (const std::string& other : all.others) warn("without its part " + other);
  for (const auto& [number, found] : all.lists) {
    if (!options.work.quiet || !found.exact) tell(certificate(all.classes[number], found));
  }
}

void run(const FragmentsCommand& options) {
  check(options);
  const std::string suffix = output_suffix(options.output, {".tsv", ".txt", ".json", ".html", ""});
  check_outputs({options.output}, {options.model, options.data});
  Sink output(options.output);
  const Context context = options.work.context("fragments");
  if (!options.tree.empty()) {
    Tree tree;
    BracketParser(bracket_special, options.read.limits)
        .parse(Text(options.tree, "--tree", 1), tree);
    if (tree.empty()) throw Error("--tree is empty");
    const Kernel kernel(options.kernel);
    write(options, suffix, output, tree_fragments(kernel, tree, options.search, context), nullptr);
    return;
  }
  const Model model = load_model(options.model);
  if (options.data.empty()) {
    write(options, suffix, output,
          model_fragments(model, options.search, options.of_class, nullptr, context), nullptr);
    return;
  }
  const ReadOptions how = as_trained(options.read, *options.read_flags, model);
  const Dataset data = read_as_trained(model, [&] { return read(options.data, how); });
  check_data(model, data, false);
  write(options, suffix, output,
        model_fragments(model, options.search, options.of_class, &data, context), &data);
}

}  // namespace

void add_fragments(CLI::App& program) {
  auto* command =
      program.add_subcommand("fragments", "List the heaviest fragments of a model, or of a tree");
  auto options = std::make_shared<FragmentsCommand>();
  command->add_option("model", options->model, "the model file");
  command->add_option("data", options->data,
                      "examples, such as the training data, in which to count the fragments");
  command->add_option("--tree", options->tree, "a tree in brackets, instead of a model");
  command->add_option("-k,--kernel", options->kernel,
                      "the kernel whose fragments of --tree to list");
  command->add_option("--class", options->of_class, "only the fragments of this class");
  command->add_option("-o,--output", options->output,
                      "a file: .tsv, .json, or .html for a page that draws them [standard output]");
  options->search_flags.add_to(*command, options->search);
  options->read_flags = add_read_options(*command, options->read);
  options->work.add_to(*command);
  command->footer(
      "The score of a kernel model is a sum over the fragments that its kernel counts. Lists "
      "those\n"
      "with the largest weights, for or against a class, found by an exact search; if a limit "
      "ends\n"
      "it before, standard error says so. Frontier nodes of fragments stand in brackets, words do\n"
      "not: (SBARQ (WHNP (WP Who)) (SQ) (. ?)).\n\n"
      "Examples:\n"
      "  espalier fragments q.model --class HUM --min-size 2\n"
      "  espalier fragments q.model examples/questions/train.tsv -o fragments.html\n"
      "  espalier fragments --tree '(S (NP Mary) (VP sings))' -k 'sst(lambda=1)'");
  command->callback([options] { run(*options); });
}

}  // namespace espalier::cli
