#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// A fold below `folds` for each example, dealt by chance so that the folds differ by at most one
/// example in size, and by at most one on each side. Depends on nothing but the arguments.
std::vector<std::uint32_t> stratified_folds(std::span<const std::int8_t> signs, std::size_t folds,
                                            std::uint64_t seed);

}  // namespace espalier
