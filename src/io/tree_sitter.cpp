#include "espalier/base/error.hpp"
#include "espalier/io/limited_builder.hpp"
#include "io/ascii.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// The output of `tree-sitter parse`: "(module [0, 0] - [2, 0]\n  name: (identifier [0, 4] - [0,
/// 7]))", one tree per file. Positions are dropped.
class TreeSitterReader final : public ExampleReader {
 public:
  TreeSitterReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), builder_(options.limits), fields_(options.mapping.fields) {}

  bool next(Example& example) override {
    if (!collect()) return false;
    example = {};
    builder_.start(add_tree(example));
    parse(Text(text_, source_.name(), location().line, location().column));
    return true;
  }

 private:
  /// Moves the lines of one tree into text_. A tree starts with a bracket at the start of a line
  /// and ends before the next tree or before a line about its file.
  bool collect() {
    text_.clear();
    for (;;) {
      const std::string_view bytes = source_.peek();
      if (bytes.empty()) return !text_.empty();
      const bool begins = bytes[0] == '(';
      if (!text_.empty() && blanks.find(bytes[0]) == blanks.npos && bytes[0] != ')') return true;
      if (text_.empty() && begins) begin_at(source_);
      const bool inside = !text_.empty() || begins;
      // The line may extend beyond the current block.
      for (bool ended = false; !ended;) {
        const std::string_view rest = source_.peek();
        if (rest.empty()) break;
        const std::size_t newline = rest.find('\n');
        ended = newline != rest.npos;
        const std::size_t length = ended ? newline + 1 : rest.size();
        if (inside) {
          source_.take(length, text_);
        } else {
          source_.consume(length);
        }
      }
    }
  }

  void parse(const Text& text) {
    const std::string_view bytes = text.bytes();
    std::string field;
    for (std::size_t at = 0; (at = bytes.find_first_not_of(blanks, at)) < bytes.size();) {
      if (builder_.depth() == 0 && at > 0) text.fail(at, "unexpected text after the tree");
      switch (bytes[at]) {
        case '(':
          at = open_node(text, at, field);
          field.clear();
          break;
        case ')':
          builder_.close();
          ++at;
          break;
        case '[':
        case '-':
          at = skip_position(text, at);
          break;
        default:
          at = read_word(text, at, field);
      }
    }
    builder_.check_closed(text, 0);
  }

  std::size_t open_node(const Text& text, std::size_t at, const std::string& field) {
    const std::string_view bytes = text.bytes();
    const std::size_t begin = std::min(bytes.find_first_not_of(blanks, at + 1), bytes.size());
    const std::size_t end = word_end(text, begin);
    const std::string_view type = bytes.substr(begin, end - begin);
    if (fields_ && !field.empty()) {
      builder_.open(text, begin, field + ":" + std::string(type));
    } else {
      builder_.open(text, begin, type);
    }
    return end;
  }

  /// "[0, 4] - [0, 7]" or part of it.
  static std::size_t skip_position(const Text& text, std::size_t at) {
    const std::size_t end = text.bytes().find_first_not_of("[]0123456789, -", at);
    return std::min(end, text.size());
  }

  /// A field "name:", or a token within an error node, which becomes a leaf.
  std::size_t read_word(const Text& text, std::size_t at, std::string& field) {
    const std::size_t end = word_end(text, at);
    const std::string_view word = text.bytes().substr(at, end - at);
    if (text[at] != '"' && text[at] != '\'' && word.ends_with(':')) {
      field = word.substr(0, word.size() - 1);
    } else {
      builder_.leaf(text, at, word);
    }
    return end;
  }

  /// The end of the word or quoted token at `at`.
  static std::size_t word_end(const Text& text, std::size_t at) {
    const std::string_view bytes = text.bytes();
    if (at == bytes.size() || (bytes[at] != '"' && bytes[at] != '\'')) {
      return std::min(bytes.find_first_of(" \t\r\n()", at), bytes.size());
    }
    for (std::size_t i = at + 1; i < bytes.size() && bytes[i] != '\n'; ++i) {
      if (bytes[i] == '\\') {
        ++i;
      } else if (bytes[i] == bytes[at]) {
        return i + 1;
      }
    }
    text.fail(at, "the token that starts here is missing its quote");
  }

  Source source_;
  LimitedBuilder builder_;
  bool fields_;
  std::string text_;
};

constexpr std::string_view tree_sitter_suffixes[] = {".tree-sitter"};

}  // namespace

const Format tree_sitter_format = {
    .name = "tree-sitter",
    .description = "what `tree-sitter parse` prints: (module [0, 0] - [2, 0] name: (identifier ..",
    .suffixes = tree_sitter_suffixes,
    .matches =
        [](std::string_view line) {
          return line.starts_with('(') && line.find("] - [") != line.npos;
        },
    .reader = make_reader<TreeSitterReader>,
};

}  // namespace espalier
