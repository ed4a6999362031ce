#pragma once

#include <vector>

#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// The weight of each vertex in the subtree kernel; 0 if it does not count. Throws Error if the
/// weights have not been learned yet.
std::vector<double> subtree_weights(const Forest& forest, const TreeKernelNode& kernel,
                                    const KernelState& state);

/// The feature value of a subtree that occurs `count` times, without its weight. Not for kappa=min,
/// which has several features per subtree.
double subtree_feature(const SubtreeOptions& options, double count);

}  // namespace espalier
