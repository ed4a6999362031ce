#include "kernel/pair_product.hpp"

namespace espalier {

VertexFacts::VertexFacts(const Forest& forest)
    : has_parent(forest.vertex_count(), 0), shared(forest.vertex_count(), 0) {
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    for (const VertexId child : forest.children(v)) has_parent[child] = 1;
  }
  std::vector<std::uint8_t> seen(forest.vertex_count(), 0);
  for (TreeId t = 0; t < forest.tree_count(); ++t) {
    for (const Occurrence& o : forest.occurrences(t)) {
      shared[o.vertex] = seen[o.vertex];
      seen[o.vertex] = 1;
    }
  }
}

}  // namespace espalier
