#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// How clearly a subtree tells the classes apart (Azais & Ingels 2020). With rho(k) the share of
/// the trees of class k that contain it, that is the distance from rho to the nearest of the points
/// "in all trees of one class and in no other" and "in no tree of one class and in all others".
struct Discriminance {
  double distance = 2;              ///< 0: it decides alone; 1 and more: it says nothing
  std::uint32_t speaks_for = none;  ///< the class of the nearest point; none if no tree contains it
  bool by_absence = false;          ///< whether its absence speaks for the class, or its presence
};

/// For each vertex of the forest, from `trees` (the tree of each example, or none) and the classes
/// of these. Classes without a tree do not count. Of points that are equally near, presence goes
/// first, then the class with the smaller number. Linear in the occurrences, and in the classes.
std::vector<Discriminance> discriminance(const Forest& forest, std::span<const TreeId> trees,
                                         const ClassLists& classes);

/// f(1 - distance): from 0 for a subtree that says nothing to 1.
double discriminance_weight(WeightShape shape, double distance);

/// Subtrees with weights that were learned; those that are only below others weigh 0.
struct SubtreeWeights {
  VertexList subtrees;
  std::vector<double> weights;
};

/// Whether the kernel has weights to learn and has not learned them.
bool needs_learning(const Kernel& kernel);

/// The share of the examples that the kernel learns weights from; 0 if it learns none.
double learning_fraction(const Kernel& kernel);

/// The kernel with weights learned from these examples; classes(i) are those of examples[i]. Throws
/// Error if a kernel that learns looks at several trees of an example, as within pair(..).
Kernel learn_weights(const Kernel& kernel, const Dataset& data,
                     std::span<const std::uint32_t> examples, const ClassLists& classes);

}  // namespace espalier
