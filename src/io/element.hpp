#pragma once

#include <string>
#include <string_view>

#include "espalier/io/limited_builder.hpp"
#include "io/label_text.hpp"

namespace espalier {

/// Maps elements of XML or HTML to nodes: attributes, label and text according to the mapping.
/// Attributes are read before the label "tag.class" is known, but are children of that node, so
/// they are buffered until open().
class ElementBuilder {
 public:
  ElementBuilder(const ReadLimits& limits, const TreeMapping& mapping)
      : builder_(limits), mapping_(mapping) {}

  void start(Tree& tree) {
    builder_.start(tree);
    text_.clear();
  }

  /// Adds an attribute of the next element.
  void attribute(const Text& text, std::size_t at, std::string_view name, std::string_view value);
  /// Opens an element with the buffered attributes.
  void open(const Text& text, std::size_t at, std::string_view tag);
  /// Adds text to the innermost element. Adjacent pieces form one leaf.
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
  std::string text_;   ///< pending until an element starts or ends
  std::string class_;  ///< ".first", of the next element
  std::size_t attribute_count_ = 0;
  std::vector<Attribute> attributes_;
};

}  // namespace espalier
