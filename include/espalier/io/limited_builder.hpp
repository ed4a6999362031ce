#pragma once

#include <string_view>

#include "espalier/forest/tree.hpp"
#include "espalier/io/read_options.hpp"
#include "espalier/io/source.hpp"

namespace espalier {

/// A TreeBuilder that keeps the limits: what every reader of trees builds with.
class LimitedBuilder {
 public:
  explicit LimitedBuilder(const ReadLimits& limits) : limits_(limits) {}

  void start(Tree& tree) {
    tree_ = &tree;
    builder_.start(tree);
  }
  /// Opens a node that stands `at` bytes from the beginning of `text`. Throws InputError if it is
  /// one too many, too deep, or if its label is too long.
  void open(const Text& text, std::size_t at, std::string_view label) {
    if (tree_->size() >= limits_.nodes || builder_.depth() >= limits_.depth ||
        label.size() > limits_.label) {
      refuse(text, at, label);
    }
    builder_.open(label);
  }
  void leaf(const Text& text, std::size_t at, std::string_view label) {
    open(text, at, label);
    close();
  }
  void close() { builder_.close(); }
  std::size_t depth() const { return builder_.depth(); }
  const ReadLimits& limits() const { return limits_; }

 private:
  [[noreturn]] void refuse(const Text& text, std::size_t at, std::string_view label) const;

  ReadLimits limits_;
  Tree* tree_ = nullptr;
  TreeBuilder builder_;
};

/// "a tree of more than 5 nodes; max-nodes sets this limit", for the messages of all limits.
std::string beyond_limit(std::string_view what, std::uint64_t limit, std::string_view unit,
                         std::string_view option);

}  // namespace espalier
