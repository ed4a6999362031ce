#pragma once

#include <memory>
#include <utility>

#include "engine/content_hashes.hpp"
#include "engine/label_selection.hpp"
#include "espalier/forest/forest.hpp"

namespace espalier {

/// Nodes match if their labels are equal and selected: the keys of RunMatcher.
class LabelKeys {
 public:
  using Shared = std::shared_ptr<const LabelSelection>;
  static constexpr bool graded = false;

  explicit LabelKeys(Shared selection) : selection_(std::move(selection)) {}

  static Shared share(const Forest&, const LabelSelection& selection) {
    return std::make_shared<const LabelSelection>(selection);
  }
  static std::size_t key_count(const Forest& forest) { return forest.labels().size(); }
  static std::uint32_t key(const Forest& forest, VertexId v) { return forest.label(v); }
  static std::size_t signature_count(const Forest& forest) { return forest.production_count(); }
  static std::uint32_t signature(const Forest& forest, VertexId v) { return forest.production(v); }
  static std::uint64_t signature_hash(const ContentHashes& hashes, const Forest& forest,
                                      VertexId v) {
    return hashes.production(forest.production(v));
  }
  /// Whether the vertex can match others.
  bool matches(const Forest& forest, VertexId v) const { return selection_->has(forest.label(v)); }
  bool matters(const Forest& forest, VertexId v) const {
    return !forest.is_leaf(v) && matches(forest, v);
  }
  static bool counts(const Forest&, const auto& /*options*/, VertexId) { return true; }

 private:
  Shared selection_;
};

}  // namespace espalier
