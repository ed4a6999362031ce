#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/forest/forest.hpp"
#include "espalier/fragments/fragment.hpp"
#include "explain/drawing.hpp"

namespace espalier {

/// How much of a subtree is drawn.
struct TreeLimits {
  std::size_t nodes = 24;
  std::size_t levels = 7;
  std::size_t children = 8;
};

struct DrawnNode {
  VertexId vertex = none;    ///< none for a mark; in a Tree: the node, in preorder
  std::string label;         ///< shortened
  std::uint64_t hidden = 0;  ///< above 0: not a node but the mark for this many hidden ones
  std::size_t level = 0;
  std::vector<std::size_t> children = {};
  Point centre = {};
  double width = 0;  ///< of the label
};

/// Positions for the nodes of a subtree: parents are centred above their children, and the labels
/// of a level do not overlap.
struct TreeLayout {
  std::vector<DrawnNode> nodes;  ///< parents before children
  double width = 0;
  double height = 0;
  std::uint64_t hidden = 0;  ///< number of nodes not drawn
};

/// Linear in the nodes drawn.
TreeLayout lay_out_tree(const Forest& forest, VertexId vertex, const TreeLimits& limits = {});
/// Linear in the tree.
TreeLayout lay_out_tree(const Tree& tree, const TreeLimits& limits = {});

/// Draws edges and labels.
void draw_tree(const TreeLayout& layout, Drawing& drawing);

Figure tree_figure(const Forest& forest, VertexId vertex);
/// With a dashed line below frontier nodes.
Figure fragment_figure(const Fragment& fragment);

}  // namespace espalier
