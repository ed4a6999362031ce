#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace espalier {

/// One score over the folds of a cross-validation, or over any repetitions.
struct Spread {
  std::uint64_t count = 0;
  double mean = 0;
  /// Of a sample: divided by count - 1. Absent for a single value, which says nothing about it.
  /// Folds share training data, so this is not the error of the mean (Bengio & Grandvalet 2004).
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
