#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
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

void convert(const ConvertOptions& options) {
  check_outputs({options.output}, {options.input});
  const auto reader = open_reader(options.input, options.read);
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
  command->add_option("output", options->output, "the file to write")->required();
  add_read_options(*command, options->read);
  command->add_option("--to", options->to, "format of the output, if not as its suffix says")
      ->check(check_format);
  command->add_option("--tree", options->tree, "keep only the tree of this name, and no vectors");
  add_details(*command, describe_formats());
  command->footer(
      "Example: one of the five trees of each question, a line each\n"
      "  espalier convert --tree grct questions.klp.gz questions.tsv\n"
      "Example: sentences as two trees each, classes from '# genre = ..'\n"
      "  espalier convert --represent grct,lct --label-from genre in.conllu out.klp");
  command->callback([options] { convert(*options); });
}

}  // namespace espalier::cli
