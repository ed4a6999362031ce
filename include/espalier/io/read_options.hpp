#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/parameter.hpp"
#include "espalier/represent/sentence_examples.hpp"

namespace espalier {

/// How large an input may be. What is larger is an error that names the limit. Memory grows with
/// the largest example and with the distinct subtrees of all, never with the depth of the stack.
struct ReadLimits {
  std::uint64_t nodes = 20'000'000;              ///< of one tree
  std::uint64_t depth = 10'000'000;              ///< of one tree: nodes on a path from the root
  std::uint64_t label = std::uint64_t{1} << 20;  ///< bytes
  std::uint64_t attributes = 10'000;             ///< of one element of XML or HTML
  std::uint64_t parts = 1'000;                   ///< of each kind in one example, see check_parts()
  std::uint64_t features = 10'000'000;           ///< values of one vector
  std::uint64_t example = std::uint64_t{1} << 28;  ///< bytes of text: a line, or a document
  std::uint64_t file = std::uint64_t{1} << 36;     ///< bytes, after decompression

  static void describe(auto& self, auto&& field) {
    constexpr Range sizes = {1, 0x1p53};
    field("max_nodes", self.nodes, "nodes of a tree", {.range = sizes, .bytes = true});
    field("max_depth", self.depth, "depth of a tree", {.range = sizes, .bytes = true});
    field("max_label", self.label, "bytes of a label", {.range = sizes, .bytes = true});
    field("max_attributes", self.attributes, "attributes of an XML or HTML element",
          {.range = sizes, .bytes = true});
    field("max_parts", self.parts,
          "labels, trees, vectors, texts, columns or comments of an example",
          {.range = sizes, .bytes = true});
    field("max_features", self.features, "values of a vector", {.range = sizes, .bytes = true});
    field("max_example", self.example, "bytes of an example: a line or document",
          {.range = sizes, .bytes = true});
    field("max_file", self.file, "bytes of a file, after decompression",
          {.range = sizes, .bytes = true});
  }
};

/// What to do with bytes that are not UTF-8.
enum class InvalidUtf8 {
  keep,     ///< labels and texts hold the bytes as they are
  replace,  ///< each is replaced by U+FFFD
  refuse,   ///< an error that says where
};
constexpr std::array<const char*, 3> names_of(InvalidUtf8) { return {"keep", "replace", "refuse"}; }

/// Where the linkage of a sugar, as in "Man(a1-3)", goes.
enum class Linkages {
  label,  ///< the label is "Man(a1-3)"
  node,   ///< a node "a1-3" between the sugar and its parent
  drop,
};
constexpr std::array<const char*, 3> names_of(Linkages) { return {"label", "node", "drop"}; }

/// How the parts of a document become nodes. docs/formats.md has an example of each.
struct TreeMapping {
  bool text = false;        ///< xml, html: text is kept as leaves; json: values instead of kinds
  bool classes = false;     ///< xml, html: labels are tag.class, with the first class there is
  bool attributes = false;  ///< xml, html: attributes become children "@name"
  bool lengths = false;     ///< newick, nexus: labels end in the branch length, "name:0.5"
  bool fields = false;      ///< tree-sitter: labels begin with the field, "name:identifier"
  Linkages linkages = Linkages::label;  ///< glycan
  bool leaves_are_words = false;        ///< see lexical_tree()

  static void describe(auto& self, auto&& field) {
    static constexpr const char* kept[] = {"drop", "keep"};
    static constexpr const char* labels[] = {"tag", "tag.class"};
    field("text", self.text, "text as leaves; json: values instead of types",
          {.users = "xml, html, json", .choices = kept});
    field("labels", self.classes, "what labels consist of",
          {.users = "xml, html", .choices = labels});
    field("attributes", self.attributes, "attributes as children @name",
          {.users = "xml, html", .choices = kept});
    field("lengths", self.lengths, "branch lengths in labels, name:0.5",
          {.users = "newick, nexus", .choices = kept});
    field("fields", self.fields, "fields in labels, name:identifier",
          {.users = "tree-sitter", .choices = kept});
    field("linkages", self.linkages, "linkages as part of the label, as nodes, or dropped",
          {.users = "glycan"});
    static constexpr const char* words[] = {"typed", "leaves"};
    field(
        "words", self.leaves_are_words,
        "which nodes are words for spt, cspt and lex: those typed so (LEX##dog::n, dog::n), or all "
        "leaves, which become dogs::n by the part of speech above them",
        {.choices = words});
  }
};

struct ReadOptions {
  /// One of formats(); "directory:html" reads each file of a folder as html. Empty: found out.
  std::string format;
  TreeMapping mapping;
  /// csv: what its columns hold, "class=kingdom,glycan=target"; see docs/formats.md.
  std::string columns;
  SentenceOptions sentences;  ///< how conllu becomes trees
  InvalidUtf8 invalid_utf8 = InvalidUtf8::keep;
  /// csv: whether it is an error that a class column is missing. Prediction needs none.
  bool needs_classes = true;
  bool follow_links = false;  ///< directory: also links out of it and to folders
  ReadLimits limits;
  /// Called with one line about each thing that was skipped. It may be empty.
  std::function<void(const std::string&)> warn;

  static void describe(auto& self, auto&& field) {
    field("format", self.format, "format of the data; empty: by suffix, or by content");
    field("columns", self.columns,
          "which column is the class and which the tree: class=family,newick=tree",
          {.users = "csv"});
    TreeMapping::describe(self.mapping, field);
    SentenceOptions::describe(self.sentences, used_by("conllu", field));
    static constexpr const char* links[] = {"skip", "follow"};
    field("links", self.follow_links, "links that lead out of the folder, and links to folders",
          {.users = "directory", .choices = links});
    field("utf8", self.invalid_utf8, "what to do with bytes that are not UTF-8");
    ReadLimits::describe(self.limits, field);
  }
};

/// The options that decide which trees examples become and that differ from their defaults: no
/// format, no limits.
std::vector<Setting> reading_settings(const ReadOptions& options);

/// Sets the format to conllu if one of the parameters `given` is for sentences. Throws Error if
/// the options name another format.
void imply_format(ReadOptions& options, std::span<const std::string> given);

}  // namespace espalier
