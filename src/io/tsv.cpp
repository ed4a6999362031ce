#include "espalier/base/error.hpp"
#include "espalier/io/brackets.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// The name of a column between the class and the tree, counted from 0.
std::string column_name(std::size_t column) {
  return column == 1 ? "id" : "column" + std::to_string(column + 1);
}

/// One example a line: class TAB [id TAB ..] tree.
class TsvReader final : public ExampleReader {
 public:
  TsvReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), parser_(bracket_special, options.longest_label) {}

  bool next(Example& example) override {
    Text line;
    do {
      begin_at(source_);
      if (!source_.next_line(line)) return false;
    } while (line.trimmed().empty() && line.bytes().find('\t') == std::string_view::npos);
    example = {};
    std::size_t begin = 0;
    for (std::size_t column = 0;; ++column) {
      const std::size_t tab = line.bytes().find('\t', begin);
      if (tab == std::string_view::npos) break;
      const std::string_view field = line.bytes().substr(begin, tab - begin);
      if (column > 0) {
        example.texts.push_back({column_name(column), std::string(field)});
      } else if (!field.empty()) {
        example.labels.push_back({std::string(field), {}});
      }
      begin = tab + 1;
    }
    example.trees.push_back({only_tree, {}});
    parser_.parse(line.part(begin), example.trees[0].value);
    return true;
  }

 private:
  Source source_;
  BracketParser parser_;
};

class TsvWriter final : public ExampleWriter {
 public:
  using ExampleWriter::ExampleWriter;

 private:
  void print(const Example& example, std::string& out) override {
    const Tree& tree = one_tree(example, "tsv");
    if (example.labels.size() > 1) throw Error("tsv holds one class; write klp instead");
    for (const Label& label : example.labels) {
      if (label.value) throw Error("tsv holds no numbers to be predicted; write klp instead");
      field(label.name, out);
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

constexpr std::string_view suffixes[] = {".tsv", ".sexpr"};

}  // namespace

const Format tsv_format = {
    .name = "tsv",
    .description = "one example a line: class TAB [id TAB ..] tree",
    .suffixes = suffixes,
    .matches =
        [](std::string_view line) {
          const std::size_t tab = line.rfind('\t');
          return tab != std::string_view::npos && line.substr(tab + 1).starts_with('(') &&
                 !line.starts_with('(');
        },
    .reader = [](Source source, const ReadOptions& options) -> std::unique_ptr<ExampleReader> {
      return std::make_unique<TsvReader>(std::move(source), options);
    },
    .writer = [](Sink sink) -> std::unique_ptr<ExampleWriter> {
      return std::make_unique<TsvWriter>(std::move(sink));
    },
};

}  // namespace espalier
