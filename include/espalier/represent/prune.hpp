#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "espalier/base/parameter.hpp"
#include "espalier/forest/tree.hpp"

namespace espalier {

/// A predicate on labels.
using LabelTest = std::function<bool(std::string_view)>;

/// The tree without the subtrees whose root label passes the test; empty if the root passes. All
/// functions here are linear in the tree.
Tree prune_labels(const Tree& tree, const LabelTest& drop);

/// The tree cut off below `depth` edges from the root.
Tree prune_below(const Tree& tree, std::uint32_t depth);

/// The nodes within `distance` edges of a node whose label passes the test, and the nodes that
/// connect them to the root; empty if no label passes.
Tree prune_far(const Tree& tree, const LabelTest& is_marked, std::uint32_t distance);

/// Whether a label has a mark (represent.hpp): -FE, -LU or REL-.
bool is_marked_label(std::string_view label);

/// What is removed from trees. Trees without any marked label are kept whole where the distance
/// from one is limited.
struct PruneOptions {
  std::string labels = {};                     ///< separated by commas
  std::optional<std::uint32_t> depth = {};     ///< edges from the root
  std::optional<std::uint32_t> distance = {};  ///< edges from a node with a mark

  static void describe(auto& self, auto&& field) {
    constexpr Range sizes = {0, 1e9};
    field("prune_labels", self.labels, "remove the subtrees with these root labels: PP,SBAR");
    field("prune_depth", self.depth, "remove what is more than that many edges below the root",
          {.range = sizes});
    field("prune_distance", self.distance,
          "remove what is more than that many edges from a marked node (REL-, -FE, -LU), except "
          "the nodes above; trees without marks stay whole",
          {.range = sizes});
  }
  friend bool operator==(const PruneOptions&, const PruneOptions&) = default;
};

/// The tree pruned by label, then depth, then distance. Linear in the tree. Throws Error if the
/// root has one of the labels.
Tree prune(const Tree& tree, const PruneOptions& options);

}  // namespace espalier
