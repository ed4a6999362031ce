#include "fragments/fragment_nodes.hpp"

namespace espalier {

void FragmentNodes::add(std::uint32_t parent, VertexId vertex, std::uint32_t position) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({vertex, position});
  if (node == 0) return;
  Node& above = nodes_[parent];
  (above.first == none ? above.first : nodes_[above.last].next) = node;
  above.last = node;
}

Fragment FragmentNodes::fragment(std::uint32_t size, bool positions) const {
  Fragment out;
  out.size = size;
  TreeBuilder builder;
  builder.start(out.tree);
  std::vector<std::uint32_t> open;
  for (std::uint32_t node = 0; node != none;) {
    const Node& here = nodes_[node];
    builder.open(forest_.labels().text(forest_.label(here.vertex)));
    out.frontier.push_back(here.first == none && !forest_.is_leaf(here.vertex) ? 1 : 0);
    if (positions) out.positions.push_back(here.position);
    open.push_back(node);
    node = here.first;
    while (node == none && !open.empty()) {
      builder.close();
      node = nodes_[open.back()].next;
      open.pop_back();
    }
  }
  return out;
}

}  // namespace espalier
