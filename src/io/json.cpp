#include <algorithm>

#include "base/utf8.hpp"
#include "espalier/base/error.hpp"
#include "espalier/io/limited_builder.hpp"
#include "io/ascii.hpp"
#include "io/formats.hpp"
#include "io/label_text.hpp"

namespace espalier {

namespace {

constexpr std::string_view json_word_ends = " \t\r\n,:[]{}\"";

std::size_t skip_digits(std::string_view word, std::size_t at) {
  return std::min(word.find_first_not_of("0123456789", at), word.size());
}

/// Whether JSON calls this a number. 1e400 is one, whatever it is as a double.
bool is_number(std::string_view word) {
  const std::size_t begin = word.starts_with('-') ? 1 : 0;
  std::size_t at = skip_digits(word, begin);
  if (at == begin || (word[begin] == '0' && at > begin + 1)) return false;
  if (at < word.size() && word[at] == '.') {
    const std::size_t fraction = at + 1;
    at = skip_digits(word, fraction);
    if (at == fraction) return false;
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    ++at;
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
    const std::size_t exponent = at;
    at = skip_digits(word, exponent);
    if (at == exponent) return false;
  }
  return at == word.size();
}

std::string_view kind_of(std::string_view word) {
  if (word == "true" || word == "false") return "boolean";
  if (word == "null") return "null";
  return is_number(word) ? "number" : "";
}

/// A sequence of JSON values (RFC 8259): a document or JSON lines. An object is a node "object"
/// with a child for each key, whose child is the value; an array is a node "array". A parser of our
/// own: nlohmann's SAX parser rejects numbers such as 1e400 and invalid UTF-8, which labels may
/// keep, and does not report where a token starts.
class JsonReader final : public ExampleReader {
 public:
  JsonReader(Source source, const ReadOptions& options)
      : source_(std::move(source)), builder_(options.limits), values_(options.mapping.text) {}

  bool next(Example& example) override {
    if (!collect()) return false;
    example = {};
    builder_.start(add_tree(example));
    open_.clear();
    text_ = Text(bytes_, source_.name(), location().line, location().column);
    parse();
    return true;
  }

 private:
  /// Moves the text of one value into bytes_: up to its closing bracket or, for a scalar, up to the
  /// end of the line.
  bool collect() {
    skip_blanks();
    begin_at(source_);
    bytes_.clear();
    std::size_t depth = 0;
    bool quoted = false;
    bool escaped = false;
    bool ended = false;
    for (std::string_view bytes; !ended && !(bytes = source_.peek()).empty();) {
      std::size_t at = 0;
      for (; at < bytes.size() && !ended; ++at) {
        const char c = bytes[at];
        if (escaped) {
          escaped = false;
        } else if (quoted) {
          escaped = c == '\\';
          quoted = c != '"';
        } else if (c == '"') {
          quoted = true;
        } else if (c == '{' || c == '[') {
          ++depth;
        } else if (c == '}' || c == ']') {
          ended = depth <= 1;
          --depth;
        } else if (c == '\n') {
          ended = depth == 0;
        }
      }
      source_.take(at, bytes_);
    }
    return !bytes_.empty();
  }

  void skip_blanks() {
    for (std::string_view bytes; !(bytes = source_.peek()).empty();) {
      const std::size_t end = std::min(bytes.find_first_not_of(blanks), bytes.size());
      source_.consume(end);
      if (end < bytes.size()) return;
    }
  }

  void parse() {
    std::size_t at = read_value(0);
    while (!open_.empty()) {
      at = skip(at);
      const char close = open_.back() ? '}' : ']';
      if (at < text_.size() && text_[at] == close) {
        close_bracket();
        ++at;
      } else if (first_) {
        at = read_member(at);
      } else if (at < text_.size() && text_[at] == ',') {
        at = read_member(skip(at + 1));
      } else {
        text_.fail(std::min(at, text_.size()), std::string("expected ',' or '") + close + "'");
      }
    }
    at = skip(at);
    if (at < text_.size()) text_.fail(at, "unexpected text after the value");
  }

  /// An array element, or a key and its value.
  std::size_t read_member(std::size_t at) {
    if (!open_.back()) return read_value(at);
    if (at == text_.size() || text_[at] != '"') text_.fail(at, "expected a key in quotes");
    const std::size_t begin = at;
    at = skip(read_string(at));
    builder_.open(text_, begin, label());
    if (at == text_.size() || text_[at] != ':') text_.fail(at, "expected ':'");
    return read_value(skip(at + 1));
  }

  /// Reads a scalar, or opens an object or array.
  std::size_t read_value(std::size_t at) {
    first_ = false;
    const char c = at < text_.size() ? text_[at] : '\0';
    if (c == '{' || c == '[') {
      builder_.open(text_, at, c == '{' ? "object" : "array");
      open_.push_back(c == '{');
      first_ = true;
      return at + 1;
    }
    if (c == '"') {
      const std::size_t end = read_string(at);
      builder_.leaf(text_, at, values_ ? label() : "string");
      value_ended();
      return end;
    }
    const std::size_t end = std::min(text_.bytes().find_first_of(json_word_ends, at), text_.size());
    const std::string_view word = text_.bytes().substr(at, end - at);
    const std::string_view kind = kind_of(word);
    if (kind.empty()) text_.fail(at, "expected a value");
    builder_.leaf(text_, at, values_ ? word : kind);
    value_ended();
    return end;
  }

  /// A value is complete: closes the node of its key, if it has one.
  void value_ended() {
    if (!open_.empty() && open_.back()) builder_.close();
  }

  void close_bracket() {
    builder_.close();
    open_.pop_back();
    first_ = false;
    value_ended();
  }

  /// Decodes the string at `at` into string_; returns the position after it.
  std::size_t read_string(std::size_t at) {
    const std::string_view bytes = text_.bytes();
    const std::size_t begin = at++;
    string_.clear();
    for (;;) {
      const std::size_t end = bytes.find_first_of("\"\\\n", at);
      if (end == bytes.npos || bytes[end] == '\n') {
        text_.fail(begin, "the string that starts here is missing its quote");
      }
      string_.append(bytes.substr(at, end - at));
      at = end + 1;
      if (bytes[end] == '"') return at;
      at = read_escape(at);
    }
  }

  /// Decodes the escape sequence after a backslash.
  std::size_t read_escape(std::size_t at) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const char c = at < text_.size() ? text_[at] : '\0';
    if (const std::size_t name = names.find(c); c != '\0' && name != names.npos) {
      string_ += meanings[name];
      return at + 1;
    }
    if (c != 'u') text_.fail(at - 1, "an unknown escape");
    std::uint32_t code = read_hex(at + 1);
    at += 5;
    const bool high = code >= 0xD800 && code < 0xDC00;
    if (high && text_.bytes().substr(at).starts_with("\\u")) {
      const std::uint32_t low = read_hex(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 6;
      }
    }
    // Unpaired surrogates are not characters.
    append_utf8(string_, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code == 0 ? 0xFFFD : code);
    return at;
  }

  std::uint32_t read_hex(std::size_t at) const {
    std::uint32_t code = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      const char c = i < text_.size() ? text_[i] : '\0';
      const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(c);
      if (c == '\0' || digit == std::string_view::npos) text_.fail(at, "expected four hex digits");
      code = code * 16 + static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
    }
    return code;
  }

  /// The last string as a label, on one line.
  std::string_view label() {
    label_.clear();
    append_label_text(label_, string_);
    return end_label_text(label_);
  }

  std::size_t skip(std::size_t at) const {
    return std::min(text_.bytes().find_first_not_of(blanks, at), text_.size());
  }

  Source source_;
  LimitedBuilder builder_;
  bool values_;
  std::string bytes_;
  Text text_;
  std::string string_;  ///< the last one, decoded
  std::string label_;
  std::vector<bool> open_;  ///< per open bracket: whether it is an object
  bool first_ = false;      ///< nothing has been read since the last opening bracket
};

constexpr std::string_view json_suffixes[] = {".json", ".jsonl", ".ndjson"};

}  // namespace

const Format json_format = {
    .name = "json",
    .description = "JSON values, one after the other: a document, or one a line",
    .suffixes = json_suffixes,
    .matches =
        [](std::string_view line) {
          line = line.substr(line.find_first_not_of(" \t"));
          return line.starts_with('{') || line.starts_with('[');
        },
    .reader = make_reader<JsonReader>,
};

}  // namespace espalier
