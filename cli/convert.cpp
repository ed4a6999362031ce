#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/format.hpp"
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

/// Empty if there is such a form, else what to say about it.
std::string check_sentence_form(const std::string& name) {
  try {
    sentence_form_named(name);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// Adds the options of sentences; giving one of them says that the input is conllu.
void add_sentence_options(CLI::App& command, ReadOptions& read) {
  SentenceOptions& sentences = read.sentences;
  auto* const group = command.add_option_group("Sentences (conllu)");
  group
      ->add_option_function<std::vector<std::string>>(
          "--represent",
          [&sentences](const std::vector<std::string>& names) {
            sentences.forms.clear();
            for (const std::string& name : names) {
              const SentenceForm form = sentence_form_named(name);
              if (std::ranges::find(sentences.forms, form) == sentences.forms.end()) {
                sentences.forms.push_back(form);
              }
            }
          },
          "a tree for each of these forms: grct, lct, loct, cgrct, clct; grct if not given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(check_sentence_form);
  group->add_flag("--forms", sentences.words.forms, "words as they stand, not their lemmas");
  group->add_flag("--coarse", sentences.words.coarse, "universal parts of speech, not XPOS");
  group->add_flag_callback(
      "--keep-case", [&sentences] { sentences.words.lower_case = false; }, "capital letters stay");
  group->add_flag("--punctuation", sentences.words.punctuation, "punctuation stays");
  auto* const label =
      group->add_option("--label-from", sentences.label_from,
                        "the class: this key of the comments, as genre, sent_id or 'newdoc id'");
  group->add_option("--label-until", sentences.label_until, "the class ends before this text")
      ->needs(label);
  auto* const arguments = group->add_flag_callback(
      "--arguments", [&sentences] { sentences.task = SentenceTask::arguments; },
      "an example for each candidate argument of each predicate: class argument or none");
  arguments->excludes(label);
  group
      ->add_flag_callback(
          "--roles", [&sentences] { sentences.task = SentenceTask::roles; },
          "the same, but the class of an argument is its role")
      ->excludes(arguments)
      ->excludes(label);
  command.parse_complete_callback([group, &read] {
    if (group->count_all() == 0 || read.format == "conllu") return;
    if (!read.format.empty()) {
      throw CLI::ValidationError("options of sentences are for conllu, not for " + read.format);
    }
    read.format = "conllu";
  });
}

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
  add_sentence_options(*command, options->read);
  command->footer(describe_formats() +
                  "\n\nExample: one of the five trees of each question, a line each\n"
                  "  espalier convert --tree grct questions.klp.gz questions.tsv\n"
                  "Example: sentences as two trees each, classes from '# genre = ..'\n"
                  "  espalier convert --represent grct,lct --label-from genre in.conllu out.klp");
  command->callback([options] { convert(*options); });
}

}  // namespace espalier::cli
