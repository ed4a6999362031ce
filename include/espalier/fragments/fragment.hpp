#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/forest/tree.hpp"

namespace espalier {

/// A fragment of trees: a coordinate of the space in which a tree kernel is a dot product.
struct Fragment {
  Tree tree;
  /// Per node: whether it has no children here, though it has some in the tree it was found in.
  std::vector<std::uint8_t> frontier;
  /// Route kernel, per node: its position among its siblings, from 1; 0 for the root. Otherwise
  /// empty.
  std::vector<std::uint32_t> positions;
  /// s(p): the productions of a fragment of SST, the nodes of any other.
  std::uint32_t size = 0;
};

/// In brackets: "(WHNP (WP Who))". Frontier nodes have brackets, "(SBARQ (WHNP) (SQ))", words have
/// none; positions precede their node, "(call 2:name)". Linear.
std::string to_string(const Fragment& fragment);

}  // namespace espalier
