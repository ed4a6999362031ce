#pragma once

#include <cstdint>
#include <vector>

#include "espalier/data/dataset.hpp"

namespace espalier {

/// Per example: the first one with the same trees in all columns. Examples without trees have no
/// other. O(n log n).
std::vector<std::uint32_t> first_with_same_trees(const Dataset& data);

/// Per example: the first one that every kernel takes for the same. Of data with vectors, each
/// example is taken to be different.
std::vector<std::uint32_t> first_with_same_input(const Dataset& data);

}  // namespace espalier
