#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// One ordered labelled tree in a flat layout: its nodes in preorder, each with its label and its
/// number of children. A loop over the nodes from last to first visits children before parents, so
/// nothing recurses. Trees are exchanged between files and a Forest in this form.
class Tree {
 public:
  std::size_t size() const { return nodes_.size(); }
  bool empty() const { return nodes_.empty(); }
  std::string_view label(std::size_t node) const {
    return std::string_view(text_).substr(nodes_[node].begin, nodes_[node].length);
  }
  std::uint32_t children(std::size_t node) const { return nodes_[node].children; }
  void clear();
  /// Removes the root. Requires children(0) == 1. Linear in size().
  void drop_root() { nodes_.erase(nodes_.begin()); }

  /// Same shape, same labels.
  friend bool operator==(const Tree& a, const Tree& b);

 private:
  friend class TreeBuilder;
  struct Node {
    std::uint32_t begin;   ///< of the label, in text_
    std::uint32_t length;  ///< of the label
    std::uint32_t children;
  };
  std::string text_;  ///< all labels, one after the other
  std::vector<Node> nodes_;
};

/// Builds a Tree from open and close events in document order. A builder can be reused.
class TreeBuilder {
 public:
  /// Clears `tree` and builds into it from now on.
  void start(Tree& tree);
  /// Adds a node as the last child of the innermost open one and opens it. Throws Error for a
  /// second root, or beyond 2^32 - 2 nodes or 4 GiB of labels.
  void open(std::string_view label);
  /// Closes the innermost open node. Requires depth() > 0.
  void close() { open_.pop_back(); }
  /// A node without children: open and close.
  void leaf(std::string_view label) {
    open(label);
    close();
  }
  /// Number of open nodes.
  std::size_t depth() const { return open_.size(); }

 private:
  Tree* tree_ = nullptr;
  std::vector<std::uint32_t> open_;
};

}  // namespace espalier
