#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fragments/fragment_set.hpp"
#include "fragments/fragment_space.hpp"

namespace espalier {

/// A fragment with a column, at a vertex that it is rooted at. One with several embeddings may
/// have several of these.
struct RootedFragment {
  VertexId root;
  std::uint32_t column;
  double value;
  friend auto operator<=>(const RootedFragment&, const RootedFragment&) = default;
};

/// Lists the fragments of a set that are rooted at these vertices, given in ascending order. Calls
/// found() with more of them; their order is that of the search. Costs the matches of fragments
/// with columns and of their prefixes. Cancellable within parallel().
void walk_fragments(const FragmentSpace& space, const FragmentKeys& keys, const FragmentSet& set,
                    std::span<const VertexId> roots,
                    const std::function<void(std::span<const RootedFragment>)>& found);

}  // namespace espalier
