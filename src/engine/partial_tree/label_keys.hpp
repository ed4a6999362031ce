#pragma once

#include <cstddef>

#include "engine/content_hashes.hpp"
#include "espalier/forest/forest.hpp"

namespace espalier {

/// Nodes match if their labels are equal: what the rules of such kernels share.
struct LabelKeys {
  using Shared = std::nullptr_t;
  static constexpr bool graded = false;
  static constexpr bool may_weigh_leaves = false;

  static Shared share(const Forest&) { return nullptr; }
  static std::size_t key_count(const Forest& forest) { return forest.labels().size(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.label(v); }
  static std::size_t signature_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t signature(const Forest& forest, VertexId v) { return forest.production(v); }
  static std::uint64_t signature_hash(const ContentHashes& hashes, const Forest& forest,
                                      VertexId v) {
    return hashes.production(forest.production(v));
  }
  static bool matters(const Forest& forest, VertexId v) { return !forest.is_leaf(v); }
  static bool counts(const Forest&, const auto& /*options*/, VertexId) { return true; }
};

}  // namespace espalier
