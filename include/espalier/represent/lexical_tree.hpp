#pragma once

#include "espalier/forest/tree.hpp"

namespace espalier {

/// A constituency tree whose leaves are words for the kernels that compare words by their vectors:
/// "films" below "NNS" becomes "films::n". The letter is the first of the label above in lower
/// case, if the leaf is the only child. Words are in lower case; leaves that are words already, and
/// single nodes, stay. Linear in the tree.
Tree lexical_tree(const Tree& tree);

}  // namespace espalier
