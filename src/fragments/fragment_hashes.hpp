#pragma once

#include <cstdint>
#include <vector>

#include "espalier/fragments/fragment.hpp"
#include "espalier/kernel/kernel.hpp"
#include "fragments/fragment_state.hpp"

namespace espalier {

// A fragment is identified by a 64-bit hash of the steps that it grows by, each of which depends on
// the text of labels only: equal in all forests and on all machines. Models store columns that were
// found by it, so it must never change.

/// What a step adds at a vertex, as a hash: a production (SST), a subtree (ST), or a label.
class FragmentKeys {
 public:
  /// Linear in the forest.
  FragmentKeys(const Forest& forest, const TreeKernelNode& kernel);

  std::uint64_t operator()(VertexId v) const { return keys_[place_[v]]; }

 private:
  std::vector<std::uint32_t> place_;  ///< per vertex
  std::vector<std::uint64_t> keys_;
};

/// The hash of the fragment that a step makes of the fragment with the hash `previous`.
std::uint64_t grown_hash(std::uint64_t previous, const FragmentStep& step, std::uint64_t key);

/// A fragment on the way to another one.
struct FragmentPrefix {
  std::uint64_t hash;
  std::uint32_t node;  ///< that grows next; `none` in the complete fragment
};

/// The fragments that a search meets on the way to the tree `root` of `fragments`, a tree for each
/// fragment, itself last. `hash` is that of no fragment.
std::vector<FragmentPrefix> prefixes(const Forest& fragments, const FragmentKeys& keys,
                                     const TreeKernelNode& kernel, const Fragment& fragment,
                                     VertexId root, std::uint64_t hash);

}  // namespace espalier
