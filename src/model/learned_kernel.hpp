#pragma once

#include "espalier/engine/discriminance.hpp"
#include "espalier/model/targets.hpp"

namespace espalier {

/// A kernel with learned weights, and the examples left for training with it.
struct LearnedKernel {
  FittedKernel kernel;
  std::vector<std::uint32_t> examples;
};

/// Learns the weights of the kernel from its fraction of `examples`, stratified, by the seed; the
/// rest is left for training. A kernel without weights to learn leaves all of them.
LearnedKernel learn_kernel(const FittedKernel& kernel, const Dataset& data, const Targets& targets,
                           std::span<const std::uint32_t> examples, std::uint64_t seed);

}  // namespace espalier
