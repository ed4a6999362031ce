#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "espalier/represent/sentence_examples.hpp"

namespace espalier {

/// How large an input may be. What is larger is an error that names the limit. Memory grows with
/// the largest example and with the distinct subtrees of all, never with the depth of the stack.
struct ReadLimits {
  std::uint64_t nodes = 20'000'000;                ///< of one tree
  std::uint64_t depth = 10'000'000;                ///< of one tree: nodes on a path from the root
  std::uint64_t label = std::uint64_t{1} << 20;    ///< bytes
  std::uint64_t attributes = 10'000;               ///< of one element of XML or HTML
  std::uint64_t example = std::uint64_t{1} << 30;  ///< bytes of text: a line, or a document
  std::uint64_t file = std::uint64_t{1} << 36;     ///< bytes, after decompression
};

/// What to do with bytes that are not UTF-8.
enum class InvalidUtf8 {
  keep,     ///< labels and texts hold the bytes as they are
  replace,  ///< each is replaced by U+FFFD
  refuse,   ///< an error that says where
};

/// Where the linkage of a sugar, as in "Man(a1-3)", goes.
enum class Linkages {
  label,  ///< the label is "Man(a1-3)"
  node,   ///< a node "a1-3" between the sugar and its parent
  drop,
};

/// How the parts of a document become nodes. docs/formats.md has an example of each.
struct TreeMapping {
  bool text = false;        ///< xml, html: text is kept as leaves; json: values instead of kinds
  bool classes = false;     ///< xml, html: labels are tag.class, with the first class there is
  bool attributes = false;  ///< xml, html: attributes become children "@name"
  bool lengths = false;     ///< newick, nexus: labels end in the branch length, "name:0.5"
  bool fields = false;      ///< tree-sitter: labels begin with the field, "name:identifier"
  Linkages linkages = Linkages::label;  ///< glycan
};

struct ReadOptions {
  /// One of formats(); "directory:html" reads each file of a folder as html. Empty: found out.
  std::string format;
  TreeMapping mapping;
  /// csv: what its columns hold, "class=kingdom,glycan=target"; see docs/formats.md.
  std::string columns;
  SentenceOptions sentences;  ///< how conllu becomes trees
  InvalidUtf8 invalid_utf8 = InvalidUtf8::keep;
  ReadLimits limits;
  /// Called with one line about each thing that was skipped. It may be empty.
  std::function<void(const std::string&)> warn;
};

/// An option of reading by the name that the program and the Python package know it by.
struct NamedReadOption {
  std::string_view name;    ///< "max-nodes"
  std::string_view values;  ///< "drop|keep", "NUMBER"
  std::string_view help;
  /// Throws Error if the value is none of `values`.
  void (*set)(ReadOptions& options, std::string_view value);
};

/// All of them but `format`.
std::span<const NamedReadOption> read_options();

/// Sets the option of that name. Throws Error, with the nearest known name if there is none.
void set_read_option(ReadOptions& options, std::string_view name, std::string_view value);

}  // namespace espalier
