#include "espalier/forest/tree.hpp"

#include "espalier/base/error.hpp"
#include "espalier/base/id_index.hpp"

namespace espalier {

void Tree::clear() {
  text_.clear();
  nodes_.clear();
}

bool operator==(const Tree& a, const Tree& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.children(i) != b.children(i) || a.label(i) != b.label(i)) return false;
  }
  return true;
}

void TreeBuilder::start(Tree& tree) {
  tree.clear();
  tree_ = &tree;
  open_.clear();
}

void TreeBuilder::open(std::string_view label) {
  auto& nodes = tree_->nodes_;
  auto& text = tree_->text_;
  if (open_.empty()) {
    if (!nodes.empty()) throw Error("a tree has one root; a second one was opened");
  } else {
    ++nodes[open_.back()].children;
  }
  if (nodes.size() >= none - 1 || label.size() > none - text.size()) {
    throw Error("the tree is too large: at most 2^32 - 2 nodes and 4 GiB of labels");
  }
  open_.push_back(static_cast<std::uint32_t>(nodes.size()));
  nodes.push_back(
      {static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(label.size()), 0});
  text.append(label);
}

}  // namespace espalier
