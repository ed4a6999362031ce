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

/// Least-squares line through the logarithms of the means, weighted by the number of subtrees.
/// Means of 0 are ignored. Nothing if fewer than two heights remain. Linear.
std::optional<ExponentialFit> fit_exponential(std::span<const HeightMean> means);

}  // namespace espalier
