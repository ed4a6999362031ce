#pragma once

#include "espalier/embed/nystroem.hpp"

namespace espalier {

/// Positions of the landmarks in the data, ascending. There may be fewer than requested if there
/// are not enough examples, or for kmeans not enough distinct ones.
std::vector<std::uint32_t> choose_landmarks(const FittedKernel& kernel, const Dataset& data,
                                            std::span<const std::uint32_t> classes,
                                            const NystroemOptions& options, const Context& context);

}  // namespace espalier
