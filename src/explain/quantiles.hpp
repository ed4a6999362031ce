#pragma once

#include <cmath>
#include <span>

namespace espalier {

/// Of numbers in rising order, at least one: the value below which this share of them lies, in a
/// straight line between the two nearest.
inline double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - std::floor(place)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace espalier
