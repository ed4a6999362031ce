#include "explain/exponential_fit.hpp"

#include <cmath>

namespace espalier {

std::optional<ExponentialFit> fit_exponential(std::span<const HeightMean> means) {
  double n = 0, sum_x = 0, sum_y = 0;
  for (const HeightMean& m : means) {
    if (m.mean <= 0) continue;
    const auto count = static_cast<double>(m.subtrees);
    n += count;
    sum_x += count * m.height;
    sum_y += count * std::log(m.mean);
  }
  if (n == 0) return std::nullopt;
  const double mean_x = sum_x / n, mean_y = sum_y / n;
  double squares = 0, products = 0;
  for (const HeightMean& m : means) {
    if (m.mean <= 0) continue;
    const double x = m.height - mean_x, count = static_cast<double>(m.subtrees);
    squares += count * x * x;
    products += count * x * (std::log(m.mean) - mean_y);
  }
  if (squares == 0) return std::nullopt;
  const double slope = products / squares;
  return ExponentialFit{std::exp(mean_y - slope * mean_x), std::exp(slope)};
}

}  // namespace espalier
