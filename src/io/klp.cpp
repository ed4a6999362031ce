#include <algorithm>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/brackets.hpp"
#include "espalier/io/escape.hpp"
#include "io/fields.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

constexpr std::size_t deepest_pair = 8;

/// KeLP's format, one example per line:
///     line = {label} {|B TYPE [:name]| body |E TYPE|} | {label} |<| line |,| line |>| {|B ..|}
class KelpReader final : public ExampleReader {
 public:
  KelpReader(Source source, const ReadOptions& options)
      : source_(std::move(source)),
        parser_(bracket_special_bars, options.limits),
        warn_(options.warn) {}

  bool ready() override { return source_.has_line(); }
  bool can_skip() const override { return true; }
  bool next(Example& example) override {
    Text line;
    do {
      begin_at(source_);
      if (!source_.next_line(line)) return false;
    } while (line.trimmed().empty());
    example = {};
    line_ = line;  // not trimmed: a blank at its end may be escaped
    at_ = 0;
    read_example(example, 0);
    if (at_ < line_.size()) line_.fail(at_, "a mark of a pair, |,| or |>|, without its |<|");
    return true;
  }

 private:
  /// Reads to the end of the line or to the delimiter that ends a member of a pair.
  void read_example(Example& example, std::size_t depth) {
    std::size_t representations = 0;
    while (skip_blanks()) {
      if (line_[at_] != '|') {
        if (representations > 0 || !example.members.empty()) line_.fail(at_, "expected '|'");
        check_parts(source_.limits(), example.labels.size() + 1, "labels", line_, at_);
        example.labels.push_back(read_label());
      } else if (at("|<|")) {
        read_pair(example, depth);
      } else if (at("|,|") || at("|>|")) {
        return;
      } else {
        check_parts(source_.limits(), representations + 1, "trees, vectors and texts", line_, at_);
        read_representation(example, std::to_string(representations++));
      }
    }
  }

  void read_pair(Example& example, std::size_t depth) {
    if (!example.members.empty()) line_.fail(at_, "a second pair in one example");
    if (depth == deepest_pair) line_.fail(at_, "pairs nested more than 8 deep");
    example.members.resize(2);
    const std::size_t begin = at_;
    at_ += 3;
    read_example(example.members[0], depth + 1);
    if (!at("|,|")) line_.fail(begin, "the pair that starts here is missing its |,|");
    at_ += 3;
    read_example(example.members[1], depth + 1);
    if (!at("|>|")) line_.fail(begin, "the pair that starts here is missing its |>|");
    at_ += 3;
  }

  Label read_label() {
    const Text word = line_.part(at_, find_word_end(line_, at_) - at_);
    at_ += word.size();
    const std::size_t colon = word.bytes().rfind(':');
    if (colon != std::string_view::npos) {
      if (const auto value = parse_number(word.bytes().substr(colon + 1))) {
        return {std::string(unescaped(word.bytes().substr(0, colon), " |", scratch_)), value};
      }
      if (is_not_finite(word.bytes().substr(colon + 1))) {
        word.fail(colon + 1, "a number to be predicted is not finite");
      }
    }
    return {std::string(unescaped(word.bytes(), " |", scratch_)), {}};
  }

  void read_representation(Example& example, const std::string& number) {
    const std::size_t begin = at_;
    const std::size_t bar = line_.bytes().find('|', at_ + 1);
    if (line_.size() - at_ < 3 || line_[at_ + 1] != 'B' || bar == std::string_view::npos) {
      line_.fail(at_, "expected |BT|, |BV|, |BDV| or |BS|, perhaps with a name as in |BT:name|");
    }
    const std::string_view tag = line_.bytes().substr(at_ + 2, bar - at_ - 2);
    const std::size_t colon = std::min(tag.find(':'), tag.size());
    const std::string type(tag.substr(0, colon));
    const std::string name(colon < tag.size() ? tag.substr(colon + 1) : number);
    const Text body = read_body(bar + 1, begin, type);
    if (type == "T") {
      example.trees.push_back({name, {}});
      parser_.parse(body, example.trees.back().value);
    } else if (type == "V") {
      example.vectors.push_back({name, parse_sparse(body, source_.limits())});
    } else if (type == "DV") {
      example.vectors.push_back({name, parse_dense(body, source_.limits())});
    } else if (type == "S") {
      const std::string_view text = body.trimmed().bytes();
      example.texts.push_back({name, std::string(unescaped(text, "|", scratch_))});
    } else if (type == "SQ" || type == "G") {
      warn_skipped(type);
    } else {
      line_.fail(begin, "unknown representation; expected |BT|, |BV|, |BDV| or |BS|");
    }
  }

  /// The text up to the closing delimiter |E..|, which must match the opening one.
  Text read_body(std::size_t begin, std::size_t tag, const std::string& type) {
    std::size_t end = begin;
    for (;; ++end) {
      end = find_special(line_.bytes(), "|", end);
      if (end == line_.size()) line_.fail(tag, "missing |E" + type + "|");
      if (line_.bytes().substr(end).starts_with("|E")) break;
    }
    const std::string mark = "|E" + type + "|";
    if (!line_.bytes().substr(end).starts_with(mark)) line_.fail(end, "expected " + mark);
    at_ = end + mark.size();
    return line_.part(begin, end - begin);
  }

  void warn_skipped(const std::string& type) {
    if (warned_ || !warn_) return;
    warned_ = true;
    warn_(source_.name() + ": representations of type " + type +
          " (sequences and graphs) are skipped");
  }

  bool skip_blanks() {
    at_ = std::min(line_.bytes().find_first_not_of(" \t", at_), line_.size());
    return at_ < line_.size();
  }
  bool at(std::string_view mark) const { return line_.bytes().substr(at_).starts_with(mark); }

  Source source_;
  BracketParser parser_;
  std::function<void(const std::string&)> warn_;
  bool warned_ = false;
  std::string scratch_;
  Text line_;
  std::size_t at_ = 0;
};

class KelpWriter final : public ExampleWriter {
 public:
  using ExampleWriter::ExampleWriter;

 private:
  void print(const Example& example, std::string& out) override {
    print_parts(example, out);
    if (out.empty()) throw Error("it is empty, and readers of klp skip blank lines");
    out += '\n';
  }

  void print_parts(const Example& example, std::string& out) {
    for (const Label& label : example.labels) print_label(label, out);
    if (!example.members.empty()) {
      out += "|<| ";
      print_parts(example.members[0], out);
      out += "|,| ";
      print_parts(example.members[1], out);
      out += "|>| ";
    }
    for (const auto& [name, text] : example.texts) {
      print_tag("S", name, out);
      if (text.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
        throw Error("text " + in_quotes(text) + " holds a line end or NUL byte, which klp cannot");
      }
      append_escaped(out, text, "|");
      out += " |ES| ";
    }
    for (const auto& [name, vector] : example.vectors) {
      print_tag(vector.dense ? "DV" : "V", name, out);
      append_vector(out, vector);
      out += vector.dense ? " |EDV| " : " |EV| ";
    }
    for (const auto& [name, tree] : example.trees) {
      print_tag("T", name, out);
      append_brackets(out, tree, BracketStyle::compact, bracket_special_bars);
      out += " |ET| ";
    }
  }

  static bool is_any_number(std::string_view text) {
    return parse_number(text) || is_not_finite(text);
  }

  static void print_label(const Label& label, std::string& out) {
    const std::size_t begin = out.size();
    append_word(out, label.name);
    const std::string_view word = std::string_view(out).substr(begin);
    const std::size_t colon = word.rfind(':');
    if (label.value) {
      out += ':' + print_number(*label.value);
    } else if (word.empty() || (colon != word.npos && is_any_number(word.substr(colon + 1)))) {
      throw Error("class " + in_quotes(label.name) + " would not read back from klp");
    }
    out += ' ';
  }

  static void print_tag(std::string_view type, std::string_view name, std::string& out) {
    if (name.find_first_of(std::string_view("|\n\r\0", 4)) != std::string_view::npos) {
      throw Error("the name " + in_quotes(name) +
                  " holds a bar, line end or NUL byte, which klp cannot");
    }
    out += "|B";
    out += type;
    out += ':';
    out += name;
    out += "| ";
  }
};

constexpr std::string_view kelp_suffixes[] = {".klp"};

}  // namespace

const Format kelp_format = {
    .name = "klp",
    .description = "KeLP: labels, then named trees, vectors and texts, |BT:name| .. |ET|; pairs",
    .suffixes = kelp_suffixes,
    .matches =
        [](std::string_view line) {
          constexpr std::string_view marks[] = {"|BT:", "|BV:", "|BDV", "|BS", "|<|"};
          const auto in_line = [&](std::string_view mark) {
            return line.find(mark) != std::string_view::npos;
          };
          if (std::ranges::any_of(marks, in_line)) return true;
          const std::size_t word_end = std::min(line.find_first_of(" \t|"), line.size());
          const bool numeric = parse_number(line.substr(0, word_end)).has_value();
          return !numeric && (in_line("|BT|") || in_line("|BV|"));
        },
    .reader = make_reader<KelpReader>,
    .writer = make_writer<KelpWriter>,
};

}  // namespace espalier
