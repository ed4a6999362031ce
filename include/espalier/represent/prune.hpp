#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "espalier/forest/tree.hpp"

namespace espalier {

/// What holds for a label.
using LabelTest = std::function<bool(std::string_view)>;

/// The tree without the nodes whose label passes the test, and without all below them; empty if the
/// root does. All of these are linear in the tree.
Tree prune_labels(const Tree& tree, const LabelTest& drop);

/// The tree down to the nodes that are `depth` steps below the root.
Tree prune_below(const Tree& tree, std::uint32_t depth);

/// The nodes that are at most `distance` steps, up or down, from a node whose label passes the
/// test, and the nodes that connect them with the root; empty if no label passes.
Tree prune_far(const Tree& tree, const LabelTest& is_marked, std::uint32_t distance);

/// Whether a label carries a mark (represent.hpp): -FE, -LU or REL-.
bool is_marked_label(std::string_view label);

}  // namespace espalier
