#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/fragments/fragment.hpp"
#include "espalier/gram/kernel_functions.hpp"

namespace espalier {

/// What to search for, and how long.
struct FragmentOptions {
  std::size_t top = 50;
  std::size_t min_size = 1;
  std::size_t max_size = 0;
  std::size_t expansions = 0;

  static void describe(auto& self, auto&& field) {
    field("top", self.top, "number of fragments of each class", {.range = {1}, .common = true});
    field("min_size", self.min_size, "fewest productions (sst) or nodes of a fragment",
          {.range = {1}, .common = true});
    field("max_size", self.max_size, "most productions (sst) or nodes of a fragment; 0: no limit",
          {.common = true});
    field("expansions", self.expansions,
          "stop the search of a class after extending this many fragments; 0: no limit");
  }
};

/// Throws Error if an option is out of range.
void check(const FragmentOptions& options);

/// A node of an example at which a fragment is rooted.
struct FragmentPlace {
  std::uint32_t example;
  std::uint32_t node;  ///< in preorder
  Slot slot;           ///< of the tree
};

/// A fragment with its weights: its coordinates in the hyperplanes of the scores.
struct WeightedFragment {
  Fragment fragment;
  std::uint32_t term = 0;       ///< index into fragment_terms()
  std::vector<double> weights;  ///< per score
  std::uint64_t subtrees = 0;   ///< distinct subtrees of the functions that it is rooted at
  // Only if there are data:
  std::uint64_t examples = 0;         ///< that contain it
  std::uint64_t occurrences = 0;      ///< nodes of the data that it is rooted at
  std::vector<FragmentPlace> places;  ///< in the first two of these examples
  // Only in top_contributions():
  double value = 0;         ///< of the fragment in the example: lambda^(s/2) N_p(x) for SST, over
                            ///< the norm of the example
  double contribution = 0;  ///< value times weight: what it adds to the score
};

/// The result of a search.
struct TopFragments {
  /// By descending absolute weight, or contribution.
  std::vector<WeightedFragment> fragments;
  /// Whether no other fragment has a larger one: the search was complete.
  bool exact = true;
  /// The certificate: fragments that were not looked at have at most this absolute weight, or
  /// contribution. 0 if there are none.
  double bound = 0;
  std::uint64_t expansions = 0;  ///< fragments that were extended
};

/// The tree kernels in the kernel of the functions whose fragments are known, such as
/// "sst(lambda=0.4)" or "a: pt(grct)" for a member of pairs.
std::vector<std::string> fragment_terms(const KernelFunctions& functions);

/// Why the fragments of a part of the kernel cannot be listed, one text for each such part.
std::vector<std::string> parts_without_fragments(const KernelFunctions& functions);

/// The heaviest fragments of each score (row of `scores`): a linear combination of the functions,
/// such as the score of a class. The weight of a fragment p of SST is lambda^(s(p)/2) c_p, where
/// c_p is the sum of the weights w_v of all vertices v that p is rooted at (Pighin & Moschitti
/// 2010).
///
/// Best first: the weights w_v of one sign that a fragment and its extensions can reach bound all
/// extensions, so that the search ends, exact, when no open bound exceeds the last weight. If
/// options.expansions or context.memory end it before, the result is not exact and says so. Equal
/// weights are listed in any order, but always the same one. Scores are searched in parallel.
///
/// Only the scores in `searched` have a list, in that order; all if it is empty. With `data`, also
/// counts in how many of its examples each fragment occurs. Throws Error if no part of the kernel
/// has fragments, or if the options are out of range.
std::vector<TopFragments> top_fragments(const KernelFunctions& functions,
                                        const Matrix<double>& scores,
                                        const FragmentOptions& options,
                                        const Dataset* data = nullptr, const Context& context = {},
                                        std::vector<std::uint32_t> searched = {});

/// The fragments of one example that contribute most to a score, and what they contribute: the
/// contributions of all fragments and of parts_without_fragments() add up to the score. Requires
/// example.size() == 1. Throws Error as top_fragments().
TopFragments top_contributions(const KernelFunctions& functions, std::span<const double> score,
                               const Dataset& example, const FragmentOptions& options,
                               const Context& context = {});

}  // namespace espalier
