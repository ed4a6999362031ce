#include "espalier/base/error.hpp"
#include "espalier/io/brackets.hpp"
#include "io/ascii.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// Penn Treebank files: a sequence of bracketed trees, each possibly spanning several lines.
class PennReader final : public ExampleReader {
 public:
  PennReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), parser_(bracket_special, options.limits) {}

  bool next(Example& example) override {
    if (!collect()) return false;
    example = {};
    Tree& tree = add_tree(example);
    parser_.parse(Text(text_, source_.name(), location().line, location().column), tree);
    // The Penn Treebank wraps each sentence in a bracket without a label.
    if (tree.label(0).empty() && tree.children(0) == 1) tree.drop_root();
    return true;
  }

 private:
  /// Moves the text of one tree, up to its closing bracket, into text_.
  bool collect() {
    skip_blanks();
    begin_at(source_);
    text_.clear();
    std::size_t depth = 0;
    bool escaped = false;
    for (std::string_view bytes; !(bytes = source_.peek()).empty();) {
      std::size_t at = 0;
      bool closed = false;
      for (; at < bytes.size() && !closed; ++at) {
        const char c = bytes[at];
        if (escaped) {
          escaped = false;
        } else if (c == '\\') {
          escaped = true;
        } else if (c == '(') {
          ++depth;
        } else if (c == ')') {
          closed = depth <= 1;
          --depth;
        }
      }
      source_.take(at, text_);
      if (closed) return true;
    }
    return !text_.empty();
  }

  void skip_blanks() {
    for (std::string_view bytes; !(bytes = source_.peek()).empty();) {
      const std::size_t skipped = std::min(bytes.find_first_not_of(blanks), bytes.size());
      source_.consume(skipped);
      if (skipped < bytes.size()) return;
    }
  }

  Source source_;
  BracketParser parser_;
  std::string text_;
};

class PennWriter final : public ExampleWriter {
 public:
  using ExampleWriter::ExampleWriter;

 private:
  void print(const Example& example, std::string& out) override {
    const Tree& tree = one_tree(example, "penn");
    if (tree.empty()) throw Error("penn cannot store empty trees");
    // The reader drops the root of a tree if its label is empty and it has one child.
    const bool wrapped = tree.label(0).empty() && tree.children(0) == 1;
    if (wrapped) out += "( ";
    append_brackets(out, tree, BracketStyle::words);
    if (wrapped) out += ")";
    out += '\n';
  }
};

constexpr std::string_view penn_suffixes[] = {".penn", ".mrg", ".ptb", ".parse"};

}  // namespace

const Format penn_format = {
    .name = "penn",
    .description = "bracketed trees over any number of lines, without classes",
    .suffixes = penn_suffixes,
    .matches =
        [](std::string_view line) { return line.substr(line.find_first_not_of(" \t"))[0] == '('; },
    .reader = make_reader<PennReader>,
    .writer = make_writer<PennWriter>,
    .loses = [](const Example& example) -> std::string_view {
      return example.labels.empty() && example.texts.empty() ? "" : "classes and texts";
    },
};

}  // namespace espalier
