#include "io/newick_parser.hpp"

#include <algorithm>

#include "io/ascii.hpp"

namespace espalier {

namespace {

constexpr std::string_view newick_word_ends = " \t\r\n()[]':;,";

/// The position after the comment at `at`. Comments nest.
std::size_t comment_end(const Text& text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return i + 1;
  }
  text.fail(at, "the comment that starts here is missing its ']'");
}

}  // namespace

bool take_statement(Source& source, std::string& out) {
  out.clear();
  bool quoted = false;
  std::size_t comments = 0;
  bool ended = false;
  for (std::string_view bytes; !ended && !(bytes = source.peek()).empty();) {
    std::size_t at = 0;
    for (; at < bytes.size() && !ended; ++at) {
      const char c = bytes[at];
      if (quoted) {
        quoted = c != '\'';
      } else if (c == '[') {
        ++comments;
      } else if (c == ']') {
        comments -= comments > 0 ? 1 : 0;
      } else if (comments == 0) {
        quoted = c == '\'';
        ended = c == ';';
      }
    }
    source.take(at, out);
  }
  return out.find_first_not_of(blanks) != std::string::npos;
}

std::size_t skip_comments(const Text& text, std::size_t at) {
  for (;;) {
    at = std::min(text.bytes().find_first_not_of(blanks, at), text.size());
    if (at == text.size() || text[at] != '[') return at;
    at = comment_end(text, at);
  }
}

std::string NewickParser::read_word(const Text& text, std::size_t& at) const {
  const std::string_view bytes = text.bytes();
  const std::size_t begin = at;
  std::string out;
  if (at == bytes.size() || bytes[at] != '\'') {
    at = std::min(bytes.find_first_of(newick_word_ends, at), bytes.size());
    return std::string(bytes.substr(begin, at - begin));
  }
  for (;;) {  // up to the next quote; two quotes stand for one
    const std::size_t quote = bytes.find('\'', at + 1);
    if (quote == bytes.npos) text.fail(begin, "the label that starts here is missing its quote");
    out.append(bytes.substr(at + 1, quote - at - 1));
    at = quote + 1;
    if (at == bytes.size() || bytes[at] != '\'') return out;
    out += '\'';
  }
}

void NewickParser::parse(const Text& text, Tree& tree) {
  builder_.start(tree);
  nodes_.clear();
  open_.clear();
  read_nodes(text);
  for (const Node& node : nodes_) {
    while (builder_.depth() > node.depth) builder_.close();
    builder_.open(text, node.at, node.label);
  }
  while (builder_.depth() > 0) builder_.close();
}

/// Labels follow the children, so all nodes are read before the first one is built.
void NewickParser::read_nodes(const Text& text) {
  std::size_t at = skip_comments(text, 0);
  if (at == text.size()) return;
  bool begins = true;  // a node starts here: at the root, after '(' and after ','
  for (;; at = skip_comments(text, at)) {
    if (begins) {
      open_node(text, at, open_.size());
      begins = at < text.size() && text[at] == '(';
      if (begins) {
        open_.push_back(nodes_.size() - 1);
        ++at;
      } else {
        at = read_label(text, at, nodes_.back());
      }
      continue;
    }
    const char c = at < text.size() ? text[at] : ';';
    if (c == ';') break;
    if (open_.empty()) text.fail(at, c == ')' ? "a ')' without its '('" : "a tree ends with ';'");
    if (c != ')' && c != ',') text.fail(at, "expected ',' or ')'");
    ++at;
    begins = c == ',';
    if (c == ')') {
      at = read_label(text, at, nodes_[open_.back()]);
      open_.pop_back();
    }
  }
  if (!open_.empty()) {
    text.fail(nodes_[open_.back()].at, "the bracket that starts here is missing its ')'");
  }
  at = skip_comments(text, std::min(at + 1, text.size()));
  if (at < text.size()) text.fail(at, "unexpected text after the tree");
}

void NewickParser::open_node(const Text& text, std::size_t at, std::size_t depth) {
  const ReadLimits& limits = builder_.limits();
  if (nodes_.size() >= limits.nodes) {
    text.fail(at, beyond_limit("a tree", limits.nodes, "nodes", "max-nodes"));
  }
  nodes_.push_back({at, depth, {}});
}

/// Reads "label:length", both optional; returns the position after it.
std::size_t NewickParser::read_label(const Text& text, std::size_t at, Node& node) const {
  at = skip_comments(text, at);
  node.label = read_word(text, at);
  if (const auto found = translate.find(node.label); found != translate.end()) {
    node.label = found->second;
  }
  at = skip_comments(text, at);
  if (at == text.size() || text[at] != ':') return at;
  at = skip_comments(text, at + 1);
  const std::size_t begin = at;
  const std::string length = read_word(text, at);
  if (length.empty()) text.fail(begin, "a branch length is missing after ':'");
  if (lengths_) node.label += ":" + length;
  return at;
}

}  // namespace espalier
