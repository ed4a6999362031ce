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

/// The same for examples in groups, none of which is divided: the largest first, each to the fold
/// with the fewest examples of the sign that most of the group have. If there are no groups, these
/// are stratified_folds(); so are they if all examples are in one.
std::vector<std::uint32_t> stratified_group_folds(std::span<const std::int8_t> signs,
                                                  std::span<const std::uint32_t> groups,
                                                  std::size_t folds, std::uint64_t seed);

}  // namespace espalier
