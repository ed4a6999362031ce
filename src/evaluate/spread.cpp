#include "espalier/evaluate/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"

namespace espalier {

Spread spread(std::span<const double> values) {
  if (values.empty()) throw Error("there are no values to sum up: run at least one repetition");
  const auto count = static_cast<double>(values.size());
  const auto [min, max] = std::ranges::minmax(values);
  // Because of rounding the mean of equal values may differ from them.
  const double mean =
      std::clamp(std::accumulate(values.begin(), values.end(), 0.0) / count, min, max);
  Spread out = {values.size(), mean, {}, min, max};
  if (values.size() == 1) return out;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  out.standard_deviation = std::sqrt(squares / (count - 1));
  return out;
}

}  // namespace espalier
