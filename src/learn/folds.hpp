#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

/// A random fold, below `folds`, for each example: the sizes of folds differ by at most one, and so
/// do the numbers of positive and of negative examples. Deterministic.
std::vector<std::uint32_t> stratified_folds(std::span<const std::int8_t> signs, std::size_t folds,
                                            std::uint64_t seed);

}  // namespace espalier
