#pragma once

#include <string>
#include <string_view>

#include "espalier/io/limited_builder.hpp"
#include "io/label_text.hpp"

namespace espalier {

/// How an element of XML or HTML becomes a node: its attributes, its label and the text in it, as
/// the mapping says. Attributes come before the label is known, "tag.class", and are nodes below
/// it: so they wait until open().
class ElementBuilder {
 public:
  ElementBuilder(const ReadLimits& limits, const TreeMapping& mapping)
      : builder_(limits), mapping_(mapping) {}

  void start(Tree& tree) {
    builder_.start(tree);
    text_.clear();
  }

  /// Adds an attribute of the element that comes next.
  void attribute(const Text& text, std::size_t at, std::string_view name, std::string_view value);
  /// Opens an element with the attributes that were added.
  void open(const Text& text, std::size_t at, std::string_view tag);
  /// Adds text to the innermost element. Pieces without an element between them are one leaf.
  void append_text(std::string_view piece) {
    if (mapping_.text) append_label_text(text_, piece);
  }
  void close(const Text& text, std::size_t at) {
    flush_text(text, at);
    builder_.close();
  }
  std::size_t depth() const { return builder_.depth(); }

 private:
  struct Attribute {
    std::string label;
    std::string value;
  };
  void flush_text(const Text& text, std::size_t at);

  LimitedBuilder builder_;
  TreeMapping mapping_;
  std::string text_;   ///< that waits for an element to begin or end
  std::string class_;  ///< ".first", of the element that comes next
  std::size_t attribute_count_ = 0;
  std::vector<Attribute> attributes_;
};

}  // namespace espalier
