#include <algorithm>

#include "io/ascii.hpp"
#include "io/formats.hpp"
#include "io/newick_parser.hpp"

namespace espalier {

namespace {

/// Reads the trees blocks of a Nexus file and skips everything else.
class NexusReader final : public ExampleReader {
 public:
  NexusReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), parser_(options) {
    std::string_view head = source_.peek(mark.size());
    source_.consume(std::min(head.find_first_not_of(blanks), head.size()));
    head = source_.peek(mark.size());
    if (ascii_lower_case(head.substr(0, mark.size())) != mark) {
      Text(head, source_.name(), source_.line(), source_.column())
          .fail(0, "a Nexus file begins with #NEXUS");
    }
    source_.consume(mark.size());
  }

  bool next(Example& example) override {
    for (;;) {
      begin_at(source_);
      if (!take_statement(source_, statement_)) return false;
      const Text text(statement_, source_.name(), location().line, location().column);
      std::size_t at = skip_comments(text, 0);
      const std::string command = ascii_lower_case(parser_.read_word(text, at));
      at = skip_comments(text, at);
      if (command == "begin") {
        in_trees_ = ascii_lower_case(parser_.read_word(text, at)) == "trees";
        parser_.translate.clear();
      } else if (in_trees_ && command == "translate") {
        read_translate(text, at);
      } else if (in_trees_ && (command == "tree" || command == "utree")) {
        read_tree(text, at, example);
        return true;
      }
    }
  }

 private:
  static constexpr std::string_view mark = "#nexus";

  /// "1 Homo_sapiens, 2 'Pan paniscus';"
  void read_translate(const Text& text, std::size_t at) {
    while (at < text.size() && text[at] != ';') {
      std::string from = parser_.read_word(text, at);
      at = skip_comments(text, at);
      const std::size_t begin = at;
      std::string to = parser_.read_word(text, at);
      if (from.empty() || to.empty()) text.fail(begin, "expected a label and its translation");
      parser_.translate[std::move(from)] = std::move(to);
      at = skip_comments(text, at);
      if (at == text.size() || text[at] == ';') return;
      if (text[at] != ',') text.fail(at, "expected ',' or ';'");
      at = skip_comments(text, at + 1);
    }
  }

  /// "* name = [&R] (a,b);"
  void read_tree(const Text& text, std::size_t at, Example& example) {
    if (at < text.size() && text[at] == '*') at = skip_comments(text, at + 1);
    const std::size_t equals = text.bytes().find('=', at);
    if (equals == std::string_view::npos) text.fail(at, "expected name = tree");
    example = {};
    example.texts.push_back({"id", parser_.read_word(text.part(0, equals), at)});
    parser_.parse(text.part(equals + 1), add_tree(example));
  }

  Source source_;
  NewickParser parser_;
  std::string statement_;
  bool in_trees_ = false;
};

constexpr std::string_view nexus_suffixes[] = {".nex", ".nexus", ".nxs"};

}  // namespace

const Format nexus_format = {
    .name = "nexus",
    .description = "the trees blocks of Nexus files, with their translate tables",
    .suffixes = nexus_suffixes,
    .matches =
        [](std::string_view line) {
          const std::size_t begin = line.find_first_not_of(" \t");
          return ascii_lower_case(line.substr(begin, 6)) == "#nexus";
        },
    .reader = make_reader<NexusReader>,
};

}  // namespace espalier
