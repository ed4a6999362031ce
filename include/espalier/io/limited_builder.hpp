#pragma once

#include <string_view>

#include "espalier/forest/tree.hpp"
#include "espalier/io/read_options.hpp"
#include "espalier/io/source.hpp"

namespace espalier {

/// A TreeBuilder that enforces the limits. All readers build trees with it.
class LimitedBuilder {
 public:
  explicit LimitedBuilder(const ReadLimits& limits) : limits_(limits) {}

  void start(Tree& tree) {
    tree_ = &tree;
    builder_.start(tree);
  }
  /// Opens a node found at offset `at` of `text`. Throws InputError if there are too many nodes, or
  /// if it is too deep or its label too long.
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
  /// Throws InputError if the tree that starts at offset `first` of `text` has open nodes.
  void check_closed(const Text& text, std::size_t first) const;
  std::size_t depth() const { return builder_.depth(); }
  const ReadLimits& limits() const { return limits_; }

 private:
  [[noreturn]] void refuse(const Text& text, std::size_t at, std::string_view label) const;

  ReadLimits limits_;
  Tree* tree_ = nullptr;
  TreeBuilder builder_;
};

/// Throws InputError for offset `at` of `text` if an example has `count` parts of a kind, which
/// `unit` names ("trees"), and that is beyond the limit.
void check_parts(const ReadLimits& limits, std::size_t count, std::string_view unit,
                 const Text& text, std::size_t at);

/// "a tree of more than 5 nodes; the option max-nodes sets this limit".
std::string beyond_limit(std::string_view what, std::uint64_t limit, std::string_view unit,
                         std::string_view option);

}  // namespace espalier
