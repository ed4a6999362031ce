#pragma once

#include "espalier/kernel/discriminance.hpp"
#include "espalier/model/targets.hpp"

namespace espalier {

/// A kernel that has nothing to learn any more, and the examples that are left to train with it.
struct LearnedKernel {
  Kernel kernel;
  std::vector<std::uint32_t> examples;
};

/// Some of `examples` go into the weights of the kernel, by its fraction and the seed, with an
/// equal share of each class; the rest is left. A kernel without weights to learn leaves all of
/// them.
LearnedKernel learn_kernel(const Kernel& kernel, const Dataset& data, const Targets& targets,
                           std::span<const std::uint32_t> examples, std::uint64_t seed);

}  // namespace espalier
