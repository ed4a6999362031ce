#pragma once

#include "espalier/embed/nystroem.hpp"

namespace espalier {

/// The places of the landmarks in the data, rising. May be fewer than wanted if there are not so
/// many examples, or for kmeans not so many that differ.
std::vector<std::uint32_t> choose_landmarks(const Kernel& kernel, const Dataset& data,
                                            std::span<const std::uint32_t> classes,
                                            const NystroemOptions& options, const Context& context);

}  // namespace espalier
