#include "espalier/data/example.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "espalier/data/example_text.hpp"

namespace espalier {

Example kernel_input(Example example) {
  example.labels.clear();
  example.texts.clear();
  for (Example& member : example.members) member = kernel_input(std::move(member));
  return example;
}

namespace {

constexpr std::size_t shown_bytes = 70;

std::string cut_off(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  return text.substr(0, character_start(text, most)) + "..";
}

}  // namespace

std::string example_text(const Example& example, std::size_t most) {
  if (example.members.size() == 2) {
    return example_text(example.members[0], most) + " | " + example_text(example.members[1], most);
  }
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
  }
  std::ranges::replace_if(
      out, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return cut_off(std::move(out), most);
}

std::string shortened(const std::string& text) { return cut_off(text, shown_bytes); }

std::string shown_text(const Example& example) { return example_text(example, shown_bytes); }

}  // namespace espalier
