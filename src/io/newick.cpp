#include "io/formats.hpp"
#include "io/newick_parser.hpp"

namespace espalier {

namespace {

/// A sequence of trees, each terminated by ';' and possibly spanning several lines.
class NewickReader final : public ExampleReader {
 public:
  NewickReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), parser_(options) {}

  bool next(Example& example) override {
    begin_at(source_);
    if (!take_statement(source_, text_)) return false;
    example = {};
    parser_.parse(Text(text_, source_.name(), location().line, location().column),
                  add_tree(example));
    return true;
  }

 private:
  Source source_;
  NewickParser parser_;
  std::string text_;
};

/// A line with a complete tree: balanced brackets, commas, and ';' at the end.
bool is_newick(std::string_view line) {
  line = line.substr(line.find_first_not_of(" \t"));
  while (line.starts_with('[') && line.find("] ") != line.npos) {  // [&R] (a,b);
    line.remove_prefix(line.find("] ") + 2);
  }
  const std::size_t end = line.find_last_not_of(" \t\r");
  return line.starts_with('(') && line[end] == ';' && line.find(',') != line.npos;
}

constexpr std::string_view newick_suffixes[] = {".nwk", ".newick", ".nhx", ".tre", ".tree"};

}  // namespace

std::unique_ptr<Notation> newick_notation(const ReadOptions& options) {
  return std::make_unique<NewickParser>(options);
}

const Format newick_format = {
    .name = "newick",
    .description = "phylogenies: ((a,b)ab:0.5,'c d')root; also with NHX comments",
    .suffixes = newick_suffixes,
    .matches = is_newick,
    .reader = make_reader<NewickReader>,
};

}  // namespace espalier
