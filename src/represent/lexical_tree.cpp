#include "espalier/represent/lexical_tree.hpp"

#include "represent/lower_case.hpp"
#include "represent/tree_words.hpp"
#include "represent/word_labels.hpp"

namespace espalier {

Tree lexical_tree(const Tree& tree) {
  std::vector<std::string> labels(tree.size());
  for (const auto& [node, word] : words_of(tree)) {
    const std::string_view label = tree.label(node);
    if (node == 0 || label.find("##") != label.npos || label.find("::", 1) != label.npos) continue;
    append_lower_case(labels[node], label);
    labels[node] += "::" + word_letter(word, {});
  }
  return relabelled(tree, [&](std::uint32_t node) {
    return labels[node].empty() ? std::string(tree.label(node)) : labels[node];
  });
}

}  // namespace espalier
