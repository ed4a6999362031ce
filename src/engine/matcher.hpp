#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "engine/content_hashes.hpp"
#include "engine/differences.hpp"
#include "engine/label_selection.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// What the engine needs of a kernel whose nodes match if their keys are equal. D(u,v) is base()
/// for two vertices with the same key, unless children match; leaf_base() if one of them is a leaf.
template <class M>
concept Matcher = requires(M matcher, const Forest& forest, const ContentHashes& hashes, VertexId v,
                           const typename M::Index& index, std::uint32_t group,
                           const typename M::Value* (*row_of)(VertexId)) {
  { matcher.key_count(forest) } -> std::convertible_to<std::size_t>;
  { matcher.key(forest, v) } -> std::convertible_to<std::uint32_t>;
  /// The order within a group of columns with the same key.
  { matcher.signature_hash(hashes, forest, v) } -> std::convertible_to<std::uint64_t>;
  /// Whether D of this vertex can differ from base.
  { matcher.matters(forest, v) } -> std::convertible_to<bool>;
  { matcher.base() } -> std::convertible_to<typename M::Value>;
  { matcher.leaf_base() } -> std::convertible_to<typename M::Value>;
  /// Memory that it keeps between vertices.
  { matcher.bytes() } -> std::convertible_to<std::size_t>;
  matcher.start(forest, index);
  /// D(u,v) - base where u may match. row_of(child) returns the values D(child, .) of the columns
  /// with the key of the child, by rank.
  {
    matcher.differences_of(forest, v, group, row_of)
    } -> std::convertible_to<Differences<typename M::Value>>;
};

/// A matcher that defines a kernel by itself: exact_kernel() makes one of it.
template <class M>
concept ExactMatcher = Matcher<M> && std::constructible_from < M,
        std::span<const TreeKernelNode>,
const typename M::Shared&,
    std::size_t > &&requires(const Forest& forest, const typename M::Options& options, VertexId v,
                             const LabelSelection& selection) {
  /// What all matchers of a leaf share; a copy is cheap.
  { M::share(forest, selection) } -> std::same_as<typename M::Shared>;
  /// Whether a vertex with a selected label counts, if only by its base value.
  { M::counts(forest, options, v) } -> std::convertible_to<bool>;
  /// Whether leaf_base() may differ from base().
  { M::may_weigh_leaves } -> std::convertible_to<bool>;
};

}  // namespace espalier
