#pragma once

#include "espalier/forest/tree.hpp"

namespace espalier {

/// The shallow form of a constituency tree: its root, then the innermost phrase of each word, with
/// adjacent words of one phrase together, then parts of speech and words. A word that is not below
/// a phrase of its own is directly below the root. Linear in the tree.
Tree shallow_tree(const Tree& tree);

}  // namespace espalier
