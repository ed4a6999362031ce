#include "fragments/feature_archive.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

ArchivedFragments archived_fragments(std::span<const FragmentFeatures::Chosen> fragments) {
  ArchivedFragments out;
  Forest forest;
  for (const auto& [fragment, term, subtrees] : fragments) {
    out.roots.push_back(forest.root(forest.add(fragment.tree)));
    out.terms.push_back(term);
    out.sizes.push_back(fragment.size);
    out.counts.push_back(subtrees);
    out.frontier.insert(out.frontier.end(), fragment.frontier.begin(), fragment.frontier.end());
    out.positions.insert(out.positions.end(), fragment.positions.begin(), fragment.positions.end());
  }
  std::vector<VertexId> all(forest.vertex_count());
  for (VertexId v = 0; v < all.size(); ++v) all[v] = v;
  out.subtrees = forest.list(all);
  return out;
}

std::vector<FragmentFeatures::Chosen> fragments_from(const ArchivedFragments& archived,
                                                     std::span<const FeatureTerm> terms) {
  const auto check = [](bool good) {
    if (!good) throw Error("a fragment is damaged");
  };
  Forest forest;
  forest.add(archived.subtrees);
  check(forest.vertex_count() == archived.subtrees.size() &&
        archived.terms.size() == archived.roots.size() &&
        archived.sizes.size() == archived.roots.size() &&
        archived.counts.size() == archived.roots.size());
  std::vector<FragmentFeatures::Chosen> out;
  std::size_t node = 0, position = 0;
  for (std::size_t k = 0; k < archived.roots.size(); ++k) {
    check(archived.roots[k] < forest.vertex_count() && archived.terms[k] < terms.size());
    FragmentFeatures::Chosen& made = out.emplace_back();
    made.term = archived.terms[k];
    made.fragment.size = archived.sizes[k];
    made.subtrees = archived.counts[k];
    const std::size_t nodes = forest.size(archived.roots[k]);
    check(nodes <= archived.frontier.size() - node);
    made.fragment.tree = forest.subtree(archived.roots[k]);
    const auto frontier = archived.frontier.begin() + static_cast<std::ptrdiff_t>(node);
    made.fragment.frontier.assign(frontier, frontier + static_cast<std::ptrdiff_t>(nodes));
    node += nodes;
    if (!std::holds_alternative<RouteOptions>(terms[made.term].leaf().options)) continue;
    check(nodes <= archived.positions.size() - position);
    const auto positions = archived.positions.begin() + static_cast<std::ptrdiff_t>(position);
    made.fragment.positions.assign(positions, positions + static_cast<std::ptrdiff_t>(nodes));
    position += nodes;
  }
  check(node == archived.frontier.size() && position == archived.positions.size());
  return out;
}

void check_terms(const FeatureTerms& terms) {
  if (terms.terms.empty()) throw Error("a tree kernel is missing");
  for (const FeatureTerm& term : terms.terms) {
    const auto* leaf = std::get_if<TreeKernelNode>(&term.kernel.what);
    const auto known = [&](std::uint32_t norm) { return norm < terms.norms.size(); };
    if (leaf == nullptr || !no_fragments_because(*leaf).empty() ||
        !tree_kernel(*leaf).is_linear(*leaf) || !std::ranges::all_of(term.norms, known) ||
        !std::isfinite(term.factor) || term.factor <= 0) {
      throw Error("a tree kernel with fragments was expected");
    }
  }
}

}  // namespace espalier
