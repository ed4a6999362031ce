#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "distributed/label_vectors.hpp"
#include "espalier/forest/forest.hpp"
#include "espalier/forest/tree.hpp"

namespace espalier::distributed {

/// The order in which the inner nodes of some trees are evaluated, children before parents, and the
/// memory slots of their vectors. The same for all slices.
struct Plan {
  /// A child, or the root of a tree: its label as a leaf, and its step unless it is a leaf.
  struct Child {
    std::uint32_t label;
    std::uint32_t step = none;
  };
  /// One inner node.
  struct Step {
    std::uint32_t label;            ///< with its number of children
    std::uint32_t begin, end;       ///< of its children
    bool signs = false;             ///< s(n) is +-1: its slot is one of signs
    std::uint32_t own = none;       ///< slot of s(n)
    std::uint32_t sum = none;       ///< slot of the sum of s over the subtree; may be the same
    std::uint32_t last_use = none;  ///< the last step that needs it, or itself
  };
  struct Output {
    Child root;
    std::size_t row;
  };

  std::vector<Step> steps;
  std::vector<Child> children;
  std::vector<Output> outputs;          ///< by ascending step; leaves first
  std::vector<std::size_t> empty_rows;  ///< of empty trees
  std::size_t slots = 0;
  std::size_t sign_slots = 0;

  void clear();
  std::span<const Child> children_of(const Step& step) const {
    return {children.data() + step.begin, children.data() + step.end};
  }
};

/// The options that a plan depends on.
struct PlanOptions {
  bool arity = true;       ///< labels of inner nodes depend on their number of children
  bool leaf_sums = false;  ///< leaves have non-zero vectors
  bool signs = false;      ///< a node whose children are all leaves is a vector of +-1
};

/// Plans one tree, for row 0. Linear; reuses the memory of `plan`.
void plan_tree(const Tree& tree, const PlanOptions& options, LabelVectors& labels, Plan& plan);

/// Plans some trees of a forest, where `none` is an empty one: one step for each of their inner
/// vertices. The row of trees[i] is first_row + i.
Plan plan_forest(const Forest& forest, std::span<const TreeId> trees, std::size_t first_row,
                 const PlanOptions& options, LabelVectors& labels);

}  // namespace espalier::distributed
