#pragma once

// Serialisation of fragment features in a model file: see base/archive.hpp.

#include <span>
#include <vector>

#include "espalier/fragments/fragment_features.hpp"
#include "fragments/feature_terms.hpp"
#include "gram/function_archive.hpp"

namespace espalier {

/// Fragments as subtrees of one forest.
struct ArchivedFragments {
  VertexList subtrees;
  std::vector<std::uint32_t> roots;      ///< per fragment: its subtree
  std::vector<std::uint32_t> terms;      ///< per fragment
  std::vector<std::uint32_t> sizes;      ///< per fragment: s(p)
  std::vector<std::uint64_t> counts;     ///< per fragment: Chosen::subtrees
  std::vector<std::uint8_t> frontier;    ///< of all nodes, fragment after fragment
  std::vector<std::uint32_t> positions;  ///< of all nodes of fragments that have positions
};

ArchivedFragments archived_fragments(std::span<const FragmentFeatures::Chosen> fragments);
/// Throws Error unless they are complete and belong to these terms.
std::vector<FragmentFeatures::Chosen> fragments_from(const ArchivedFragments& archived,
                                                     std::span<const FeatureTerm> terms);

/// Throws Error unless the terms are tree kernels with fragments and refer to norms.
void check_terms(const FeatureTerms& terms);

template <class Archive>
void archive(Archive& a, ArchivedFragments& fragments) {
  a(fragments.subtrees, fragments.roots, fragments.terms, fragments.sizes, fragments.counts,
    fragments.frontier, fragments.positions);
}

template <class Archive>
void archive(Archive& a, FeatureNorm& norm) {
  a(norm.kernel, norm.sides);
}

template <class Archive>
void archive(Archive& a, FeatureTerm& term) {
  a(term.kernel, term.sides, term.all_trees, term.name, term.factor, term.norms);
}

template <class Archive>
void archive(Archive& a, FeatureTerms& terms) {
  a(terms.terms, terms.norms);
  if constexpr (Archive::reading) check_terms(terms);
}

template <class Archive>
void archive(Archive& a, HashedFragmentOptions& options) {
  std::uint64_t size = options.max_size, dim = options.hash_dim;
  a(size, dim);
  options = {static_cast<std::size_t>(size), static_cast<std::size_t>(dim)};
}

}  // namespace espalier
