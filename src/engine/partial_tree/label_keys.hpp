#pragma once

#include "engine/content_hashes.hpp"
#include "espalier/forest/forest.hpp"

namespace espalier {

/// Nodes match if their labels are equal: what matchers of such kernels share.
struct LabelKeys {
  static std::size_t key_count(const Forest& forest) { return forest.labels().size(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.label(v); }
  static std::size_t signature_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t signature(const Forest& forest, VertexId v) { return forest.production(v); }
  static std::uint64_t signature_hash(const ContentHashes& hashes, const Forest& forest,
                                      VertexId v) {
    return hashes.production(forest.production(v));
  }
  static bool matters(const Forest& forest, VertexId v) { return !forest.is_leaf(v); }
};

/// The same for their rules (ExactRule).
struct LabelRule {
  struct Shared {
    Shared(const Forest&, const Shared*) {}
  };
  static std::size_t key_count(const Forest& forest) { return LabelKeys::key_count(forest); }
  static std::uint32_t key(const Forest& forest, const auto& /*options*/, VertexId v) {
    return LabelKeys::key(forest, v);
  }
};

}  // namespace espalier
