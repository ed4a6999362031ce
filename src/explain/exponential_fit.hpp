#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace espalier {

/// The mean weight of the subtrees of one height.
struct HeightMean {
  std::uint32_t height = 0;
  double mean = 0;
  std::uint64_t subtrees = 0;
};

/// start * decay^height.
struct ExponentialFit {
  double start = 0;
  double decay = 0;
};

/// The straight line through the logarithms of the means, by least squares; a height counts as much
/// as it has subtrees. Means of 0 are left out. Nothing if less than two heights are left. Linear.
std::optional<ExponentialFit> fit_exponential(std::span<const HeightMean> means);

}  // namespace espalier
