#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "espalier/forest/tree.hpp"
#include "espalier/represent/relations.hpp"

namespace espalier {

/// The parent of each node, no_parent for the root. Linear in the tree.
inline constexpr std::uint32_t no_parent = static_cast<std::uint32_t>(-1);
std::vector<std::uint32_t> parents_of(const Tree& tree);

/// The tree with other labels. Linear in the tree.
Tree relabelled(const Tree& tree, const std::function<std::string(std::uint32_t node)>& label);

/// The tree with REL- on the words whose flag is set (if `words_too`) and on the nodes up to
/// `levels` above them. Linear in the tree.
Tree mark_words(const Tree& tree, const std::vector<TreeWord>& words,
                const std::vector<std::uint8_t>& marked, bool words_too, std::uint32_t levels);

}  // namespace espalier
