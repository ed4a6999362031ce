#include <algorithm>
#include <charconv>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/brackets.hpp"
#include "espalier/io/escape.hpp"
#include "io/fields.hpp"
#include "io/formats.hpp"

namespace espalier {

namespace {

/// SVM-light-TK's format, one example per line; "#" starts a comment:
///     target [qid:n] |BT| tree |BT| tree .. |ET| 1:0.5 7:2 |BV| 3:1 .. |EV|
/// Trees and vectors are named by their position: "0", "1", ..
class SvmlightTkReader final : public ExampleReader {
 public:
  SvmlightTkReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), parser_(bracket_special_bars, options.limits) {}

  bool ready() override { return source_.has_line(); }
  bool can_skip() const override { return true; }
  bool next(Example& example) override {
    Text line;
    do {
      begin_at(source_);
      if (!source_.next_line(line)) return false;
    } while (line.trimmed().empty() || line.trimmed()[0] == '#');
    example = {};
    line = line.trimmed();
    const std::size_t word_end = std::min(line.bytes().find_first_of(" \t|"), line.size());
    example.labels.push_back(read_target(line.part(0, word_end)));
    Text rest = line.part(word_end).trimmed();
    if (rest.bytes().starts_with("qid:")) rest = read_group(rest, example);
    rest = read_trees(rest, example);
    read_vectors(rest, example);
    return true;
  }

 private:
  /// A number in its shortest form, so that +1 and 1 are the same class.
  static Label read_target(const Text& word) {
    const auto number = parse_number(word.bytes());
    if (!number) word.fail(0, "a line begins with a number, the target");
    return {print_number(*number), {}};
  }

  static Text read_group(const Text& text, Example& example) {
    const std::size_t end = find_word_end(text, 4);
    std::string scratch;
    const std::string_view group = unescaped(text.bytes().substr(4, end - 4), " |", scratch);
    example.texts.push_back({"qid", std::string(group)});
    return text.part(end).trimmed();
  }

  Text read_trees(Text text, Example& example) {
    const Text begin = text;
    while (text.bytes().starts_with("|BT|")) {
      const std::size_t end = find_special(text.bytes(), "|", 4);
      check_parts(source_.limits(), example.trees.size() + 1, "trees", text, 0);
      example.trees.push_back({std::to_string(example.trees.size()), {}});
      parser_.parse(text.part(4, end - 4), example.trees.back().value);
      text = text.part(end);
    }
    if (example.trees.empty()) return text;
    if (!text.bytes().starts_with("|ET|")) {
      if (text.empty()) begin.fail(0, "the trees that start here are missing their |ET|");
      text.fail(0, "expected |BT| or |ET|");
    }
    return text.part(4).trimmed();
  }

  void read_vectors(Text text, Example& example) const {
    text = text.part(0, find_special(text.bytes(), "#"));
    if (text.trimmed().empty()) return;
    if (text.bytes().starts_with("|BV|")) text = text.part(4);
    for (;;) {
      const std::size_t end = find_special(text.bytes(), "|");
      check_parts(source_.limits(), example.vectors.size() + 1, "vectors", text, 0);
      FeatureVector vector = parse_sparse(text.part(0, end), source_.limits());
      check_features(vector, text);
      example.vectors.push_back({std::to_string(example.vectors.size()), std::move(vector)});
      text = text.part(end);
      if (text.bytes().starts_with("|BV|")) {
        text = text.part(4);
        continue;
      }
      if (!text.empty() && text.trimmed().bytes() != "|EV|") text.fail(0, "expected |BV| or |EV|");
      return;
    }
  }

  static void check_features(const FeatureVector& vector, const Text& text) {
    std::size_t at = 0;
    for (const std::string& feature : vector.features) {
      const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
      at = std::min(text.bytes().find(feature + ":", at), text.size());
      if (feature.empty() || !std::ranges::all_of(feature, is_digit)) {
        text.fail(at, "a feature must be a whole number");
      }
      at += feature.size() + 1;
    }
  }

  Source source_;
  BracketParser parser_;
};

class SvmlightTkWriter final : public ExampleWriter {
 public:
  using ExampleWriter::ExampleWriter;

 private:
  void print(const Example& example, std::string& out) override {
    if (!example.members.empty()) throw Error("svmlight-tk cannot store pairs; write klp instead");
    out += target(example);
    for (const auto& text : example.texts) {
      if (text.name == "qid") append_word(out += " qid:", text.value);
    }
    for (const auto& tree : example.trees) {
      out += " |BT| ";
      append_brackets(out, tree.value, BracketStyle::spaced, bracket_special_bars);
    }
    if (!example.trees.empty()) out += " |ET|";
    for (std::size_t i = 0; i < example.vectors.size(); ++i) {
      const FeatureVector numbered = number_features(example.vectors[i].value);
      // An empty first vector needs its delimiter, or the second one would become the first.
      if (i > 0 || numbered.values.empty()) out += " |BV|";
      out += ' ';
      append_vector(out, numbered);
    }
    if (!example.vectors.empty()) out += " |EV|";
    out += '\n';
  }

  static std::string target(const Example& example) {
    if (example.labels.empty()) return "0";
    if (example.labels.size() > 1)
      throw Error("svmlight-tk stores a single target; write klp instead");
    const Label& label = example.labels[0];
    const auto number = label.value ? label.value : parse_number(label.name);
    if (!number) {
      throw Error("class " + in_quotes(label.name) + " is not a number, which svmlight-tk needs");
    }
    return print_number(*number);
  }

  /// Sparse features must be integers; dense ones are counted from 1. Sorted, as SVM-light
  /// requires.
  static FeatureVector number_features(const FeatureVector& vector) {
    std::vector<std::pair<std::uint64_t, double>> entries;
    for (std::size_t i = 0; i < vector.values.size(); ++i) {
      std::uint64_t feature = i + 1;
      if (!vector.dense) {
        const std::string& name = vector.features[i];
        const char* const end = name.data() + name.size();
        const auto [rest, error] = std::from_chars(name.data(), end, feature);
        if (error != std::errc() || rest != end) {
          throw Error("feature " + in_quotes(name) +
                      " is not a whole number, which svmlight-tk needs");
        }
      }
      entries.emplace_back(feature, vector.values[i]);
    }
    std::ranges::stable_sort(entries, {}, &std::pair<std::uint64_t, double>::first);
    FeatureVector out;
    for (const auto& [feature, value] : entries) {
      out.features.push_back(std::to_string(feature));
      out.values.push_back(value);
    }
    return out;
  }
};

constexpr std::string_view svmlight_tk_suffixes[] = {".svm", ".dat", ".tk"};

bool is_svmlight_tk(std::string_view line) {
  if (line.starts_with('#')) return true;
  line = line.substr(line.find_first_not_of(" \t"));
  const std::size_t word_end = std::min(line.find_first_of(" \t|"), line.size());
  if (!parse_number(line.substr(0, word_end))) return false;
  line = line.substr(word_end);
  const std::size_t next = std::min(line.find_first_not_of(" \t"), line.size());
  line = line.substr(next);
  const std::size_t colon = line.find_first_not_of("0123456789");
  return line.starts_with("|B") || line.starts_with("qid:") ||
         (colon != 0 && colon != std::string_view::npos && line[colon] == ':');
}

}  // namespace

const Format svmlight_tk_format = {
    .name = "svmlight-tk",
    .description = "SVM-light-TK: a number, |BT| trees |ET|, vectors |BV| .. |EV|",
    .suffixes = svmlight_tk_suffixes,
    .matches = is_svmlight_tk,
    .reader = make_reader<SvmlightTkReader>,
    .writer = make_writer<SvmlightTkWriter>,
    .loses = [](const Example& example) -> std::string_view {
      const auto other = [](const Named<std::string>& text) { return text.name != "qid"; };
      return std::ranges::any_of(example.texts, other) ? "texts" : "";
    },
};

}  // namespace espalier
