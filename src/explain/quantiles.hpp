#pragma once

#include <cmath>
#include <span>

namespace espalier {

/// The quantile of sorted numbers, at least one, with linear interpolation.
inline double quantile(std::span<const double> sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - std::floor(place)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace espalier
