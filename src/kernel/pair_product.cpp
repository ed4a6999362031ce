#include "kernel/pair_product.hpp"

namespace espalier {

VertexFacts::VertexFacts(const Forest& forest) : shared(forest.vertex_count(), 0) {
  std::vector<std::uint8_t> seen(forest.vertex_count(), 0);
  for (TreeId t = 0; t < forest.tree_count(); ++t) {
    for (const Occurrence& o : forest.occurrences(t)) {
      shared[o.vertex] = seen[o.vertex];
      seen[o.vertex] = 1;
    }
  }
}

}  // namespace espalier
