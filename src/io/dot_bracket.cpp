#include <algorithm>

#include "io/dot_bracket_parser.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// Records of one, two or three lines: [>name], [sequence], structure [energy].
class DotBracketReader final : public ExampleReader {
 public:
  DotBracketReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), parser_(options.limits) {}

  bool next(Example& example) override {
    example = {};
    sequence_.clear();
    bool begun = false;
    for (Text line;;) {
      if (!begun) begin_at(source_);
      if (!source_.next_line(line)) break;
      line = line.trimmed();
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '>' && line.bytes().find_first_of(".(") == std::string_view::npos) {
        if (begun) break;
        example.texts.push_back({"id", std::string(line.part(1).trimmed().bytes())});
      } else if (is_sequence(line.bytes())) {
        source_.check_size(sequence_.size() + line.size());
        sequence_ += line.bytes();  // long sequences may span several lines
      } else {
        read_structure(line, example);
        return true;
      }
      begun = true;
    }
    if (begun) throw InputError(location(), "a record without a structure");
    return false;
  }

 private:
  static bool is_sequence(std::string_view line) {
    return line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*") ==
           line.npos;
  }

  void read_structure(const Text& line, Example& example) {
    // The free energy may follow after a blank: "((..)) ( -1.20)".
    const Text structure = line.part(0, std::min(line.bytes().find_first_of(" \t"), line.size()));
    parser_.parse(structure, Text(sequence_, source_.name(), 1), add_tree(example));
  }

  Source source_;
  DotBracketParser parser_;
  std::string sequence_;
};

bool is_bases(std::string_view line) {
  return line.size() >= 5 && line.find_first_not_of("ACGUTNacgutn") == line.npos;
}

bool is_dot_bracket(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (line.starts_with('>')) return true;
  if (is_bases(line)) return true;
  line = line.substr(0, line.find(' '));
  return line.find('.') != line.npos && line.find_first_not_of(".()[]{}<>") == line.npos &&
         std::ranges::count(line, '(') == std::ranges::count(line, ')');
}

constexpr std::string_view dot_bracket_suffixes[] = {".dbn", ".db", ".vienna"};

}  // namespace

const Format dot_bracket_format = {
    .name = "dot-bracket",
    .description = "RNA: [>name], [sequence], structure ((..)), a line each",
    .suffixes = dot_bracket_suffixes,
    .matches = is_dot_bracket,
    .reader = make_reader<DotBracketReader>,
};

}  // namespace espalier
