#include "io/element.hpp"

#include <algorithm>

namespace espalier {

void ElementBuilder::attribute(const Text& text, std::size_t at, std::string_view name,
                               std::string_view value) {
  const std::uint64_t most = builder_.limits().attributes;
  if (attribute_count_++ >= most) {
    text.fail(at, beyond_limit("an element", most, "attributes", "max-attributes"));
  }
  if (mapping_.classes && name == "class" && class_.empty()) {
    constexpr std::string_view blanks = " \t\r\n\f";
    const std::size_t begin = std::min(value.find_first_not_of(blanks), value.size());
    const std::size_t end = std::min(value.find_first_of(blanks, begin), value.size());
    if (end > begin) class_ = "." + std::string(value.substr(begin, end - begin));
  }
  if (!mapping_.attributes) return;
  attributes_.push_back({"@" + std::string(name), {}});
  if (!mapping_.text) return;
  append_label_text(attributes_.back().value, value);
  end_label_text(attributes_.back().value);
}

void ElementBuilder::open(const Text& text, std::size_t at, std::string_view tag) {
  flush_text(text, at);
  if (class_.empty()) {
    builder_.open(text, at, tag);
  } else {
    builder_.open(text, at, std::string(tag) + class_);
  }
  for (const Attribute& attribute : attributes_) {
    builder_.open(text, at, attribute.label);
    if (!attribute.value.empty()) builder_.leaf(text, at, attribute.value);
    builder_.close();
  }
  attributes_.clear();
  class_.clear();
  attribute_count_ = 0;
}

void ElementBuilder::flush_text(const Text& text, std::size_t at) {
  const std::string_view label = end_label_text(text_);
  if (!label.empty()) builder_.leaf(text, at, label);
  text_.clear();
}

}  // namespace espalier
