#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/base/range.hpp"

namespace espalier {

/// How two vectors are composed. Both compositions shuffle their operands first, so that they are
/// neither commutative nor associative.
enum class Composition {
  product,      ///< elementwise
  convolution,  ///< circular; the dimension must be a power of two, at least 2
};

/// The fragments that are embedded, and the exact kernel that dot products estimate.
enum class DistributedFragments {
  subset_trees,  ///< sst(lambda=decay) / decay
  subtrees,      ///< st(decay=decay, weight=productions) / decay
  subpaths,      ///< subpath(lambda=decay) / decay
};

struct DistributedTreeOptions {
  std::size_t dimension = 8192;
  double decay = 0.4;  ///< lambda in the papers
  Composition compose = Composition::product;
  DistributedFragments fragments = DistributedFragments::subset_trees;
  /// Whether the vector of a node that keeps its children depends on their number. Without it, as
  /// in the papers, (a (b c)) and (a (b) (c)) have one vector, and the kernels count them as equal.
  bool arity = true;
  std::uint64_t seed = 1;

  static void describe(auto&& field) {
    using Self = DistributedTreeOptions;
    constexpr const char* compositions[] = {"product", "convolution"};
    constexpr const char* kinds[] = {"subset_trees", "subtrees", "subpaths"};
    field("dimension", &Self::dimension, Range{1, 1 << 24}, "numbers in a vector");
    field("lambda", &Self::decay, Range{0, 1}, "a fragment weighs lambda^(expanded nodes - 1)");
    field("compose", &Self::compose, compositions, "how vectors of nodes are combined");
    field("fragments", &Self::fragments, kinds, "the fragments that count");
    field("arity", &Self::arity, "whether a node's vector depends on its number of children");
    field("seed", &Self::seed, Range{0, 0x1p53}, "the same seed gives the same vectors anywhere");
  }
  friend bool operator==(const DistributedTreeOptions&, const DistributedTreeOptions&) = default;
};

}  // namespace espalier
