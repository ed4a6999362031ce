#include "espalier/data/example.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace espalier {

Example kernel_input(Example example) {
  example.labels.clear();
  example.texts.clear();
  for (Example& member : example.members) member = kernel_input(std::move(member));
  return example;
}

std::string shown_text(const Example& example) {
  constexpr std::size_t most = 70;
  std::string out;
  const auto text =
      std::ranges::find_if(example.texts, [](const auto& t) { return t.name != "id"; });
  if (text != example.texts.end()) {
    out = text->value;
  } else if (!example.trees.empty()) {
    const Tree& tree = example.trees[0].value;
    for (std::size_t node = 0; node < tree.size(); ++node) {
      if (tree.children(node) > 0) continue;
      if (!out.empty()) out += ' ';
      out += tree.label(node);
    }
  } else if (!example.members.empty()) {
    return shown_text(example.members[0]) + " | " + shown_text(example.members[1]);
  }
  std::ranges::replace_if(
      out, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  if (out.size() <= most) return out;
  return out.substr(0, character_start(out, most)) + "..";
}

}  // namespace espalier
