#pragma once

#include <cstdint>
#include <vector>

#include "engine/bags.hpp"

namespace espalier {

/// Hashes of subtrees and productions that depend on their shape and the text of their labels, not
/// on ids in a forest. Sums in the order of these hashes have the same bits whatever other trees
/// the forest contains.
class ContentHashes {
 public:
  /// Of all vertices and productions. Linear.
  explicit ContentHashes(const Forest& forest);
  /// Of the vertices of these bags only, which have no weights. Linear in the bags.
  explicit ContentHashes(const Bags& bags);

  std::uint64_t vertex(VertexId v) const { return vertices_[v]; }
  std::uint64_t production(ProductionId p) const { return productions_[p]; }

 private:
  void add(const Forest& forest, VertexId v);
  std::uint64_t label(const Forest& forest, LabelId id);

  std::vector<std::uint64_t> labels_;  ///< 0: not computed yet
  std::vector<std::uint64_t> vertices_;
  std::vector<std::uint64_t> productions_;
};

}  // namespace espalier
