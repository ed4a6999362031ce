#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/class_lists.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// How well a subtree discriminates between the classes (Azais & Ingels 2020). With rho(k) the
/// fraction of the trees of class k that contain it, this is the distance from rho to the nearest
/// of the points "in all trees of one class and in no other" and "in no tree of one class and in
/// all others".
struct Discriminance {
  double distance = 2;              ///< 0: perfect discrimination; 1 and more: none
  std::uint32_t speaks_for = none;  ///< the class of the nearest point; none if no tree contains it
  bool by_absence = false;          ///< whether its absence, not its presence, speaks for the class
};

/// For each vertex of the forest, from `trees` (the tree of each example, or none) and the classes
/// of the examples. Classes without trees are ignored. Ties are broken in favour of presence, then
/// of the class with the smaller number. Linear in the occurrences and in the classes.
std::vector<Discriminance> discriminance(const Forest& forest, std::span<const TreeId> trees,
                                         const ClassLists& classes);

/// f(1 - distance): between 0 for a subtree without discrimination and 1.
double discriminance_weight(WeightShape shape, double distance);

/// Whether the kernel has weights that have not been learned yet.
bool needs_learning(const FittedKernel& kernel);

/// The fraction of the examples that the kernel learns weights from; 0 if it learns none.
double learning_fraction(const Kernel& kernel);

/// The kernel with weights learned from these examples; classes(i) are those of examples[i]. Throws
/// Error if a kernel that learns uses several trees of an example, as inside pair(..).
FittedKernel learn_weights(FittedKernel kernel, const Dataset& data,
                           std::span<const std::uint32_t> examples, const ClassLists& classes);

}  // namespace espalier
