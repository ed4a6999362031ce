#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// The classes of each example by their numbers: one, several or none, in any order. A class named
/// twice in a list counts once.
using ClassLists = std::span<const std::vector<std::uint32_t>>;

}  // namespace espalier
