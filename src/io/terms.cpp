#include "espalier/base/error.hpp"
#include "espalier/io/limited_builder.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"

namespace espalier {

namespace {

/// Terms: "f(a g(b, c))", each label before the bracket with its children.
class TermsNotation final : public Notation {
 public:
  explicit TermsNotation(const ReadOptions& options) : builder_(options.limits) {}

  void parse(const Text& text, Tree& tree) override {
    const std::string_view bytes = text.bytes();
    builder_.start(tree);
    const std::size_t first = bytes.find_first_not_of(blanks);
    for (std::size_t at = first; at < bytes.size();) {
      if (bytes[at] == ')') {
        if (builder_.depth() == 0) text.fail(at, "a ')' without its '('");
        builder_.close();
        ++at;
      } else {
        at = read_node(text, at);
      }
      at = bytes.find_first_not_of(between, at);
    }
    builder_.check_closed(text, first);
  }

 private:
  static constexpr std::string_view blanks = " \t";
  static constexpr std::string_view between = " \t,";

  /// Reads a label and, if there is one, the bracket after it; returns the position after that.
  std::size_t read_node(const Text& text, std::size_t at) {
    const std::string_view bytes = text.bytes();
    const std::size_t end = std::min(bytes.find_first_of(" \t,()", at), bytes.size());
    if (builder_.depth() == 0 && at > bytes.find_first_not_of(blanks)) {
      text.fail(at, "unexpected text after the tree");
    }
    builder_.open(text, at, bytes.substr(at, end - at));
    if (end < bytes.size() && bytes[end] == '(') return end + 1;
    builder_.close();
    return end;
  }

  LimitedBuilder builder_;
};

class TermsReader final : public LineReader {
 public:
  TermsReader(Source source, const ReadOptions& options)
      : LineReader(std::move(source), terms_notation(options)) {}

 private:
  /// "class:" before the first label.
  Text before_tree(const Text& rest, Example& example) override {
    const std::size_t at = rest.bytes().find_first_of(":(, ");
    if (at >= rest.size() || rest[at] != ':') return rest;
    if (at > 0) example.labels.push_back({std::string(rest.bytes().substr(0, at)), {}});
    return rest.part(at + 1);
  }
};

constexpr std::string_view terms_suffixes[] = {".terms"};

}  // namespace

std::unique_ptr<Notation> terms_notation(const ReadOptions& options) {
  return std::make_unique<TermsNotation>(options);
}

const Format terms_format = {
    .name = "terms",
    .description = "one example a line: [class:] label(child child(..))",
    .suffixes = terms_suffixes,
    .matches = [](std::string_view) { return false; },
    .reader = make_reader<TermsReader>,
};

}  // namespace espalier
