#pragma once

#include "espalier/engine/discriminance.hpp"

namespace espalier {

/// What the kernel has learned, or null.
const SubtreeWeights* learned_weights(const TreeKernelNode& leaf, const KernelState& state);

/// The learned weight of each vertex of the forest.
std::vector<double> weights_in(const Forest& forest, const SubtreeWeights& learned);

}  // namespace espalier
