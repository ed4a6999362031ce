#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/forest/tree.hpp"

namespace espalier {

/// How GoogleTest shows a tree in a failed comparison.
inline void PrintTo(const Tree& tree, std::ostream* out) {
  *out << "Tree of " << tree.size() << " nodes:";
  for (std::size_t i = 0; i < std::min<std::size_t>(tree.size(), 50); ++i) {
    *out << " '" << tree.label(i) << "'/" << tree.children(i);
  }
}

}  // namespace espalier

namespace espalier::test {

/// A tree in the plainest form. What it computes, it computes by recursion over itself, so that it
/// can serve as an oracle for the library.
struct PlainTree {
  std::string label;
  std::vector<PlainTree> children;

  std::uint32_t size() const {
    std::uint32_t nodes = 1;
    for (const PlainTree& child : children) nodes += child.size();
    return nodes;
  }
  std::uint32_t height() const {
    std::uint32_t levels = 0;
    for (const PlainTree& child : children) levels = std::max(levels, child.height() + 1);
    return levels;
  }
};

inline void build(const PlainTree& plain, TreeBuilder& builder) {
  builder.open(plain.label);
  for (const PlainTree& child : plain.children) build(child, builder);
  builder.close();
}

inline Tree to_tree(const PlainTree& plain) {
  Tree tree;
  TreeBuilder builder;
  builder.start(tree);
  build(plain, builder);
  return tree;
}

/// The subtree at `node`, which is moved behind it.
inline PlainTree to_plain(const Tree& tree, std::size_t& node) {
  PlainTree plain{std::string(tree.label(node)), {}};
  const std::uint32_t children = tree.children(node++);
  for (std::uint32_t i = 0; i < children; ++i) plain.children.push_back(to_plain(tree, node));
  return plain;
}

inline PlainTree to_plain(const Tree& tree) {
  std::size_t node = 0;
  return to_plain(tree, node);
}

/// The tree in brackets, "(S(NP(dog)))"; a node is always a bracket, and nothing is escaped. Reads
/// without the library's parser. "" is the empty tree.
inline Tree tree(std::string_view brackets) {
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  for (std::size_t at = 0; at < brackets.size();) {
    if (brackets[at] == ')') {
      builder.close();
      ++at;
      continue;
    }
    if (brackets[at] != '(') throw std::logic_error("the test's tree is wrong");
    const std::size_t end = std::min(brackets.find_first_of("()", at + 1), brackets.size());
    builder.open(brackets.substr(at + 1, end - at - 1));
    at = end;
  }
  if (builder.depth() != 0) throw std::logic_error("the test's tree is wrong");
  return out;
}

/// A path of `nodes` nodes, or a root with `nodes - 1` leaves.
inline Tree path_tree(std::size_t nodes, std::string_view label = "a") {
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  for (std::size_t i = 0; i < nodes; ++i) builder.open(label);
  return out;
}

inline Tree star_tree(std::size_t nodes, std::string_view root = "r", std::string_view leaf = "x") {
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  builder.open(root);
  for (std::size_t i = 1; i < nodes; ++i) builder.leaf(leaf);
  return out;
}

/// Random things, the same ones for the same seed.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  /// A number from 0 to `below` - 1.
  std::size_t below(std::size_t below) { return engine_() % below; }
  bool one_in(std::size_t times) { return below(times) == 0; }
  const std::string& one_of(std::span<const std::string> items) {
    return items[below(items.size())];
  }

  /// Up to `longest` of `pieces`, one after the other.
  std::string text(std::span<const std::string> pieces, std::size_t longest) {
    std::string out;
    for (std::size_t left = below(longest + 1); left > 0; --left) out += one_of(pieces);
    return out;
  }

  /// A tree of 1 to `most` nodes; every node gets a label from `label()`.
  template <class MakeLabel>
  PlainTree tree(std::size_t most, MakeLabel&& label) {
    std::size_t left = below(most);
    return subtree(left, label);
  }

 private:
  template <class MakeLabel>
  PlainTree subtree(std::size_t& left, MakeLabel& label) {
    PlainTree out{label(), {}};
    const std::size_t children = below(4);
    for (std::size_t i = 0; i < children && left > 0; ++i) {
      --left;
      out.children.push_back(subtree(left, label));
    }
    return out;
  }

  std::mt19937 engine_;
};

/// What strings are made of that are hard to write and read.
inline const std::vector<std::string> nasty_pieces = {
    "a", "b", "\\", "\\", "(", ")", " ", "|", ":", "#", "\"", "é", "木", "E", "B", "<", ",", "0",
};

inline std::string nasty_text(Random& random) { return random.text(nasty_pieces, 5); }

inline Tree nasty_tree(Random& random, std::size_t most = 20) {
  return to_tree(random.tree(most, [&] { return nasty_text(random); }));
}

}  // namespace espalier::test
