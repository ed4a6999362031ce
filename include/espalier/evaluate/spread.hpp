#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace espalier {

/// Summary of a score over cross-validation folds or repetitions.
struct Spread {
  std::uint64_t count = 0;
  double mean = 0;
  /// Sample standard deviation: divided by count - 1. Absent for a single value. Folds share
  /// training data, so it does not give the standard error of the mean (Bengio & Grandvalet 2004).
  std::optional<double> standard_deviation;
  double min = 0;
  double max = 0;

  void fields(auto&& field) const {
    field("count", count);
    field("mean", mean);
    field("standard_deviation", standard_deviation);
    field("min", min);
    field("max", max);
  }
};

/// Linear. Throws Error if there are no values.
Spread spread(std::span<const double> values);

}  // namespace espalier
