#include "engine/content_hashes.hpp"

#include "base/hash.hpp"

namespace espalier {

namespace {

/// `hash_of` returns the hash of a child.
template <class HashOf>
std::uint64_t hash_node(std::uint64_t label, std::span<const VertexId> children, HashOf&& hash_of) {
  std::uint64_t h = hash::mix(label ^ hash::key1, children.size() ^ hash::key2);
  for (const VertexId child : children) h = hash::mix(h ^ hash_of(child), hash::key1);
  return hash::mix(h ^ hash::key2, hash::key2);
}

}  // namespace

ContentHashes::ContentHashes(const Forest& forest)
    : labels_(forest.labels().size(), 0),
      vertices_(forest.vertex_count(), 0),
      productions_(forest.production_count(), 0) {
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    add(forest, v);
    std::uint64_t& production = productions_[forest.production(v)];
    if (production != 0) continue;
    production = hash_node(label(forest, forest.label(v)), forest.children(v),
                           [&](VertexId child) { return label(forest, forest.label(child)); });
  }
}

ContentHashes::ContentHashes(const Bags& bags)
    : labels_(bags.forest().labels().size(), 0), vertices_(bags.forest().vertex_count(), 0) {
  for (std::size_t i = 0; i < bags.size(); ++i) {
    for (const Occurrence& o : bags[i].occurrences) {
      if (vertices_[o.vertex] == 0) add(bags.forest(), o.vertex);
    }
  }
}

void ContentHashes::add(const Forest& forest, VertexId v) {
  vertices_[v] = hash_node(label(forest, forest.label(v)), forest.children(v),
                           [&](VertexId child) { return vertices_[child]; });
}

std::uint64_t ContentHashes::label(const Forest& forest, LabelId id) {
  if (labels_[id] == 0) labels_[id] = hash::bytes(forest.labels().text(id));
  return labels_[id];
}

}  // namespace espalier
