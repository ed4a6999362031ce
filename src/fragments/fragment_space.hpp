#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/label_selection.hpp"
#include "espalier/engine/fitted_kernel.hpp"
#include "fragments/fragment_visitor.hpp"

namespace espalier {

/// The fragments of a tree kernel: a tree whose root is empty and in which each fragment is the
/// extension of exactly one other. Immutable; one space serves many searches at once.
class FragmentSpace {
 public:
  virtual ~FragmentSpace() = default;

  /// Vertices that a fragment can be rooted at have the same key; it is less than the number of
  /// vertices, productions or labels.
  virtual std::uint32_t root_key(VertexId v) const = 0;
  /// Offers the fragments that extend none. Only `roots`, in ascending order, count.
  virtual void start(std::span<const VertexId> roots, FragmentVisitor& search) const = 0;
  /// Offers the extensions of a fragment.
  virtual void extend(const FragmentState& state, FragmentVisitor& search) const = 0;
  /// The fragment that these steps have made.
  virtual Fragment fragment(std::span<const FragmentStep> steps) const = 0;
};

/// Why the fragments of a kernel cannot be listed; empty if they can.
std::string no_fragments_because(const TreeKernelNode& kernel);

/// The space of a kernel on the vertices of a forest. Requires no_fragments_because() to be empty.
/// Linear in the forest.
std::unique_ptr<FragmentSpace> make_fragment_space(const Forest& forest,
                                                   const TreeKernelNode& kernel,
                                                   const KernelState& state);

std::unique_ptr<FragmentSpace> subtree_space(const Forest& forest, const TreeKernelNode& kernel,
                                             const KernelState& state);
/// Only nodes with selected labels are expanded.
std::unique_ptr<FragmentSpace> subset_tree_space(const Forest& forest,
                                                 const SubsetTreeOptions& options,
                                                 LabelSelection selection);
/// All nodes have selected labels.
std::unique_ptr<FragmentSpace> partial_tree_space(const Forest& forest,
                                                  const PartialTreeOptions& options,
                                                  LabelSelection selection);
/// Paths of selected labels and, for the route kernel, child positions.
std::unique_ptr<FragmentSpace> path_space(const Forest& forest, double decay, bool positions,
                                          LabelSelection selection);

/// An item of a list to be grouped by key.
struct KeyedItem {
  std::uint64_t key;
  std::uint32_t item;
  friend auto operator<=>(const KeyedItem&, const KeyedItem&) = default;
};

/// Sorts the items and calls visit(run) for each run of equal keys.
template <class Visit>
void for_each_group(std::vector<KeyedItem>& items, Visit&& visit) {
  std::ranges::sort(items);
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    while (end < items.size() && items[end].key == items[begin].key) ++end;
    visit(std::span<const KeyedItem>(items).subspan(begin, end - begin));
  }
}

}  // namespace espalier
