#include "represent/tree_words.hpp"

#include <algorithm>

#include "represent/word_labels.hpp"

namespace espalier {

namespace {

/// Where the text of a label begins: after its type, "SYNT##".
std::size_t text_begin(std::string_view label) {
  const std::size_t type = label.find("##");
  return type == label.npos ? 0 : type + 2;
}

Word word_of(const Tree& tree, std::uint32_t node, std::uint32_t parent) {
  Word out;
  std::string_view text = tree.label(node);
  const bool typed = text.starts_with(lexical_type);
  text.remove_prefix(typed ? lexical_type.size() : 0);
  const std::size_t mark = text.find("::", 1);
  if (mark != text.npos) {
    out.form = text.substr(0, mark);
    out.lemma = out.form;
    out.xpos = text.substr(mark + 2);
  } else {
    out.form = text;
    if (parent != no_parent && tree.children(parent) == 1) {
      out.xpos = tree.label(parent).substr(text_begin(tree.label(parent)));
    }
  }
  if (out.xpos.empty()) out.xpos = "_";
  return out;
}

}  // namespace

std::vector<std::uint32_t> parents_of(const Tree& tree) {
  struct Open {
    std::uint32_t node;
    std::uint32_t children;  ///< not visited yet
  };
  std::vector<std::uint32_t> out;
  std::vector<Open> open;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    while (!open.empty() && open.back().children == 0) open.pop_back();
    out.push_back(open.empty() ? no_parent : open.back().node);
    if (!open.empty()) --open.back().children;
    open.push_back({node, tree.children(node)});
  }
  return out;
}

std::vector<TreeWord> words_of(const Tree& tree) {
  const std::vector<std::uint32_t> parents = parents_of(tree);
  bool typed = false;
  for (std::size_t node = 0; node < tree.size() && !typed; ++node) {
    typed = tree.label(node).starts_with(lexical_type);
  }
  std::vector<TreeWord> out;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    const bool is_word =
        typed ? tree.label(node).starts_with(lexical_type) : tree.children(node) == 0;
    if (is_word) out.push_back({node, word_of(tree, node, parents[node])});
  }
  return out;
}

Tree mark_words(const Tree& tree, const std::vector<TreeWord>& words,
                const std::vector<std::uint8_t>& marked, bool words_too, std::uint32_t levels) {
  const std::vector<std::uint32_t> parents = parents_of(tree);
  // How many nodes above this one are still to be marked: passed upwards once, children first.
  std::vector<std::uint32_t> above(tree.size(), 0);
  std::vector<std::uint8_t> mark(tree.size(), 0);
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (marked[k] == 0) continue;
    above[words[k].node] = levels;
    if (words_too) mark[words[k].node] = 1;
  }
  for (std::size_t node = tree.size(); node-- > 1;) {
    if (above[node] == 0) continue;
    mark[parents[node]] = 1;
    above[parents[node]] = std::max(above[parents[node]], above[node] - 1);
  }
  return relabelled(tree, [&](std::uint32_t node) {
    std::string label(tree.label(node));
    if (mark[node] != 0) label.insert(text_begin(label), related_prefix);
    return label;
  });
}

Tree relabelled(const Tree& tree, const std::function<std::string(std::uint32_t node)>& label) {
  const std::vector<std::uint32_t> parents = parents_of(tree);
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  std::vector<std::uint32_t> open;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    while (!open.empty() && open.back() != parents[node]) {
      builder.close();
      open.pop_back();
    }
    builder.open(label(node));
    open.push_back(node);
  }
  return out;
}

}  // namespace espalier
