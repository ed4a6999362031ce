#pragma once

#include "espalier/forest/forest.hpp"
#include "espalier/fragments/fragment.hpp"

namespace espalier {

/// Builds a Fragment node by node, parents before children, siblings in order.
class FragmentNodes {
 public:
  explicit FragmentNodes(const Forest& forest) : forest_(forest) {}

  /// Adds a node that occurs as this vertex; the first one is the root.
  void add(std::uint32_t parent, VertexId vertex, std::uint32_t position = 0);
  Fragment fragment(std::uint32_t size, bool positions = false) const;

 private:
  struct Node {
    VertexId vertex;
    std::uint32_t position;
    std::uint32_t first = none, last = none, next = none;  ///< children, and the next sibling
  };

  const Forest& forest_;
  std::vector<Node> nodes_;
};

}  // namespace espalier
