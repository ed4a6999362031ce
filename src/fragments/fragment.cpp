#include "espalier/fragments/fragment.hpp"

#include "espalier/io/brackets.hpp"
#include "espalier/io/escape.hpp"

namespace espalier {

std::string to_string(const Fragment& fragment) {
  const Tree& tree = fragment.tree;
  std::string out;
  std::vector<std::uint32_t> missing;  // per open node: remaining children
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const bool after_empty =
        node > 0 && tree.children(node - 1) > 0 && tree.label(node - 1).empty();
    // A word directly after a bracket without a label would be read as that label.
    const bool word = node > 0 && tree.children(node) == 0 && fragment.frontier[node] == 0 &&
                      !tree.label(node).empty() && !after_empty;
    if (node > 0) {
      out += ' ';
      --missing.back();
    }
    if (!fragment.positions.empty() && node > 0) {
      out += std::to_string(fragment.positions[node]) + ":";
    }
    if (!word) out += '(';
    append_escaped(out, tree.label(node), bracket_special);
    if (!word) missing.push_back(tree.children(node));
    while (!missing.empty() && missing.back() == 0) {
      out += ')';
      missing.pop_back();
    }
  }
  return out;
}

}  // namespace espalier
