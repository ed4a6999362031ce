#include "io/fields.hpp"

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "espalier/io/escape.hpp"
#include "espalier/io/limited_builder.hpp"

namespace espalier {

namespace {

constexpr std::string_view word_special = " |";

double number_in(const Text& text, std::size_t at, std::string_view what) {
  const auto number = parse_number(text.bytes().substr(at));
  if (!number) text.fail(at, std::string(what) + " is not a finite number");
  return *number;
}

void add_value(FeatureVector& vector, double value, const ReadLimits& limits, const Text& word) {
  if (vector.values.size() >= limits.features) {
    word.fail(0, beyond_limit("a vector", limits.features, "values", "max-features"));
  }
  vector.values.push_back(value);
}

}  // namespace

std::size_t find_word_end(const Text& text, std::size_t begin) {
  // find_special() skips a tab after a backslash, but tabs cannot be escaped.
  const std::size_t special = find_special(text.bytes(), " |\t", begin);
  return begin + std::min(text.bytes().substr(begin, special - begin).find('\t'), special - begin);
}

FeatureVector parse_sparse(const Text& text, const ReadLimits& limits) {
  FeatureVector vector;
  std::string scratch;
  const std::string_view bytes = text.bytes();
  for (std::size_t at = 0; (at = bytes.find_first_not_of(" \t", at)) != std::string_view::npos;) {
    const Text word = text.part(at, find_word_end(text, at) - at);
    const std::size_t colon = word.bytes().rfind(':');
    if (colon == std::string_view::npos) word.fail(0, "expected feature:value");
    vector.features.emplace_back(unescaped(word.bytes().substr(0, colon), word_special, scratch));
    add_value(vector, number_in(word, colon + 1, "the value of a feature"), limits, word);
    at += word.size();
  }
  return vector;
}

FeatureVector parse_dense(const Text& text, const ReadLimits& limits) {
  constexpr std::string_view separators = " \t,;";
  FeatureVector vector;
  vector.dense = true;
  const std::string_view bytes = text.bytes();
  for (std::size_t at = 0; (at = bytes.find_first_not_of(separators, at)) != bytes.npos;) {
    const std::size_t end = std::min(bytes.find_first_of(separators, at), bytes.size());
    const Text word = text.part(at, end - at);
    add_value(vector, number_in(word, 0, "a value of a vector"), limits, word);
    at = end;
  }
  return vector;
}

void append_vector(std::string& out, const FeatureVector& vector) {
  for (std::size_t i = 0; i < vector.values.size(); ++i) {
    if (i > 0) out += ' ';
    if (!vector.dense) {
      append_word(out, vector.features[i]);
      out += ':';
    }
    out += print_number(vector.values[i]);
  }
}

void append_word(std::string& out, std::string_view word) {
  if (word.find_first_of(std::string_view("\t\n\r\0", 4)) != std::string_view::npos) {
    throw Error(in_quotes(word) + " holds a tab, line end or NUL byte, which this format cannot");
  }
  append_escaped(out, word, word_special);
}

}  // namespace espalier
