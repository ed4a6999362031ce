#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "espalier/forest/tree.hpp"

namespace espalier {

/// A predicate on labels.
using LabelTest = std::function<bool(std::string_view)>;

/// The tree without the subtrees whose root label passes the test; empty if the root passes. All
/// functions here are linear in the tree.
Tree prune_labels(const Tree& tree, const LabelTest& drop);

/// The tree cut off below `depth` edges from the root.
Tree prune_below(const Tree& tree, std::uint32_t depth);

/// The nodes within `distance` edges of a node whose label passes the test, and the nodes that
/// connect them to the root; empty if no label passes.
Tree prune_far(const Tree& tree, const LabelTest& is_marked, std::uint32_t distance);

/// Whether a label has a mark (represent.hpp): -FE, -LU or REL-.
bool is_marked_label(std::string_view label);

}  // namespace espalier
