#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "espalier/base/parameter.hpp"

namespace espalier {

/// How two vectors are composed. Both compositions shuffle their operands first, so that they are
/// neither commutative nor associative.
enum class Composition {
  product,      ///< elementwise
  convolution,  ///< circular; the dimension must be a power of two, at least 2
};

constexpr std::array<const char*, 2> names_of(Composition) { return {"product", "convolution"}; }

/// The fragments that are embedded, and the exact kernel that dot products estimate.
enum class DistributedFragments {
  subset_trees,  ///< sst(lambda=decay) / decay
  subtrees,      ///< st(decay=decay, weight=productions) / decay
  subpaths,      ///< subpath(lambda=decay) / decay
};
constexpr std::array<const char*, 3> names_of(DistributedFragments) {
  return {"subset_trees", "subtrees", "subpaths"};
}

/// How the vectors of labels are made and shuffled.
enum class Recipe {
  signs,   ///< labels of +-1, shuffled within slices; a convolution drops its mean
  papers,  ///< as in the papers: normally distributed labels of length 1, full permutations
};
constexpr std::array<const char*, 2> names_of(Recipe) { return {"signs", "papers"}; }

struct DistributedTreeOptions {
  static constexpr std::string_view name = "dtk";
  static constexpr std::string_view description =
      "dot product of distributed trees: an estimate of sst(lambda) / lambda";

  std::size_t dim = 8192;
  double decay = 0.4;  ///< lambda in the papers
  Composition compose = Composition::product;
  DistributedFragments fragments = DistributedFragments::subset_trees;
  Recipe recipe = Recipe::signs;
  /// Whether the vector of a node that keeps its children depends on their number. Without it, as
  /// in the papers, (a (b c)) and (a (b) (c)) have one vector, and the kernels count them as equal.
  bool arity = true;
  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field("dim", self.dim, "dimension of the vectors; the error falls with 1/sqrt(dim)",
          {.range = {1, 1 << 24}, .common = true});
    field("lambda", self.decay, "a fragment weighs lambda^(expanded nodes - 1)",
          {.range = {0, 1}, .alias = "decay", .common = true});
    field("compose", self.compose,
          "how the vectors of nodes are combined; convolution needs a power of two as dim");
    field("fragments", self.fragments,
          "fragments to embed: estimates sst, st(weight=productions) or subpath");
    field(
        "recipe", self.recipe,
        "signs: labels of +-1, shuffled within slices, without the mean of a convolution; papers: "
        "as published, normally distributed labels, full permutations, no arity");
    field("arity", self.arity,
          "whether a node's vector depends on its number of children (recipe=signs)");
    field("seed", self.seed, "random seed", {.range = {0, 0x1p53}});
  }
  friend bool operator==(const DistributedTreeOptions&, const DistributedTreeOptions&) = default;
};

}  // namespace espalier
