#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/brackets.hpp"
#include "io/formats.hpp"
#include "io/line_reader.hpp"

namespace espalier {

namespace {

class TsvWriter final : public ExampleWriter {
 public:
  using ExampleWriter::ExampleWriter;

 private:
  void print(const Example& example, std::string& out) override {
    const Tree& tree = one_tree(example, "tsv");
    if (example.labels.size() > 1) throw Error("tsv stores a single class; write klp instead");
    for (const Label& label : example.labels) {
      if (label.value && !label.name.empty()) {
        throw Error("tsv cannot store a number with a name; write klp instead");
      }
      field(label.value ? print_number(*label.value) : label.name, out);
    }
    out += '\t';
    for (const auto& text : example.texts) {
      field(text.value, out);
      out += '\t';
    }
    append_brackets(out, tree, BracketStyle::compact);
    out += '\n';
  }

  static void field(std::string_view text, std::string& out) {
    if (text.find_first_of(std::string_view("\t\n\r\0", 4)) != std::string_view::npos) {
      throw Error(in_quotes(text) + " holds a tab, line end or NUL byte, which tsv cannot");
    }
    out += text;
  }
};

class BracketNotation final : public Notation {
 public:
  explicit BracketNotation(const ReadOptions& options) : parser_(bracket_special, options.limits) {}
  void parse(const Text& text, Tree& tree) override { parser_.parse(text, tree); }

 private:
  BracketParser parser_;
};

constexpr std::string_view tsv_suffixes[] = {".tsv", ".sexpr"};

}  // namespace

std::unique_ptr<Notation> bracket_notation(const ReadOptions& options) {
  return std::make_unique<BracketNotation>(options);
}

const Format tsv_format = {
    .name = "tsv",
    .description = "one example a line: class TAB [id TAB ..] tree",
    .suffixes = tsv_suffixes,
    .matches =
        [](std::string_view line) {
          const std::size_t tab = line.rfind('\t');
          return tab != std::string_view::npos && line.substr(tab + 1).starts_with('(') &&
                 !line.starts_with('(');
        },
    .reader = [](Source source, const ReadOptions& options) -> std::unique_ptr<ExampleReader> {
      return std::make_unique<LineReader>(std::move(source), bracket_notation(options));
    },
    .writer = make_writer<TsvWriter>,
};

}  // namespace espalier
