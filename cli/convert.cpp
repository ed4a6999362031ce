#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
#include "espalier/io/pairs.hpp"
#include "espalier/represent/prune.hpp"
#include "espalier/represent/shallow_tree.hpp"
#include "help.hpp"
#include "output.hpp"
#include "reading.hpp"

namespace espalier::cli {

namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  ReadOptions read;
  std::string to;
  std::string tree;
  std::pair<std::string, std::string> pairs;  ///< the two files; empty: no pairs
  std::string pair_labels;
  PairOptions pair;
  ParameterFlags pair_flags;
  PruneOptions prune;
  ParameterFlags prune_flags;
  bool shallow = false;
  bool lexical = false;
};

/// Leaves only the trees of that name, with labels and texts. Returns whether there is one, and
/// adds the names of the others.
bool keep_tree(Example& example, const std::string& name, std::vector<std::string>& others) {
  bool found = false;
  for (Example& member : example.members) found = keep_tree(member, name, others) || found;
  std::erase_if(example.trees, [&](const Named<Tree>& tree) {
    if (tree.name != name) others.push_back(tree.name);
    return tree.name != name;
  });
  example.vectors.clear();
  return found || !example.trees.empty();
}

/// Replaces each tree by what is left of it.
void reduce(Example& example, const ConvertOptions& options) {
  for (Example& member : example.members) reduce(member, options);
  for (auto& [name, tree] : example.trees) {
    if (options.shallow) tree = shallow_tree(tree);
    tree = prune(tree, options.prune);
  }
}

std::unique_ptr<ExampleReader> open_input(const ConvertOptions& options) {
  if (options.pairs.first.empty()) return open_reader(options.input, options.read);
  return open_pairs(options.pairs.first, options.pairs.second, options.pair_labels, options.read,
                    options.pair);
}

/// Throws unless there are an input and an output, or pairs and an output.
void check_files(ConvertOptions& options) {
  if (options.pairs.first.empty()) {
    if (options.output.empty()) throw CLI::RequiredError("output");
    const std::vector<std::string> given = options.pair_flags.given();
    if (!options.pair_labels.empty() || !given.empty()) {
      throw CLI::ValidationError(
          fmt::format("{} is for pairs: give their two files as --pairs A B",
                      options.pair_labels.empty() ? flag_of(given[0]) : "--pair-labels"));
    }
    return;
  }
  if (!options.output.empty()) {
    throw CLI::ValidationError("with --pairs A B there is one more file, the output");
  }
  options.output = std::exchange(options.input, "");
  options.pair_flags.check_use("");
}

void convert(const ConvertOptions& options) {
  std::vector<std::string> inputs = {options.input, options.pairs.first, options.pairs.second,
                                     options.pair_labels, options.pair.vectors};
  std::erase(inputs, "");
  check_outputs({options.output}, inputs);
  const auto reader = open_input(options);
  const Format& format = output_format(options.output, options.to);
  const auto writer = open_writer(options.output, options.to);
  std::string_view lost;
  for (Example example; reader->next(example);) {
    std::vector<std::string> others;
    if (!options.tree.empty() && !keep_tree(example, options.tree, others)) {
      throw Error(
          fmt::format("an example has no tree named {}: it has {}", in_quotes(options.tree),
                      others.empty() ? "none" : fmt::format("{}", fmt::join(others, ", "))));
    }
    reduce(example, options);
    if (options.lexical) make_lexical(example);
    writer->write(example);
    if (lost.empty() && format.loses != nullptr) lost = format.loses(example);
  }
  writer->finish();
  if (!lost.empty()) warn(fmt::format("{} holds no {}: they are left out", format.name, lost));
}

}  // namespace

void add_convert(CLI::App& program) {
  auto* command = program.add_subcommand("convert", "Convert trees from one format to another");
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("input", options->input, "the file to read")->required();
  command->add_option("output", options->output, "the file to write");
  command->add_option("--pairs", options->pairs, "read pairs: one member of each from either file")
      ->option_text("A B");
  command->add_option("--pair-labels", options->pair_labels,
                      "the labels of the pairs, a line for each [those of A or B]");
  options->pair_flags.add_to(*command, options->pair);
  command->add_flag("--shallow", options->shallow,
                    "constituency trees as root, phrases of words, parts of speech and words");
  command->add_flag(
      "--lexical", options->lexical,
      "write leaves as words with their part of speech, dogs::n, as --words leaves reads them");
  options->prune_flags.add_to(*command, options->prune);
  add_read_options(*command, options->read);
  command->add_option("--to", options->to, "format of the output, if not as its suffix says")
      ->check(check_format);
  command->add_option("--tree", options->tree, "keep only the tree of this name, and no vectors");
  add_details(*command, describe_formats());
  command->footer(
      "Example: one of the five trees of each question, a line each\n"
      "  espalier convert --tree grct questions.klp.gz questions.tsv\n"
      "Example: sentences as two trees each, classes from '# genre = ..'\n"
      "  espalier convert --represent grct,lct --label-from genre in.conllu out.klp\n"
      "Example: questions and answers as pairs, with REL- above the words they have in common\n"
      "  espalier convert --pairs questions.conllu answers.conllu --related lemma out.klp");
  command->callback([options] {
    check_files(*options);
    convert(*options);
  });
}

}  // namespace espalier::cli
