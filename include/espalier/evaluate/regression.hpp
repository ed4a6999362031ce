#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace espalier {

/// How near predicted numbers are to the true ones. A value that is not defined is absent rather
/// than 0, which would be a result like any other.
struct RegressionScores {
  std::uint64_t examples = 0;
  double mean_squared_error = 0;
  double mean_absolute_error = 0;
  /// R^2: 1 - squared error / squared distance of the truth from its mean. Below 0 if that mean
  /// would have been the better prediction. Absent if all true numbers are equal.
  std::optional<double> r2;
  /// Linear correlation. Absent if all true or all predicted numbers are equal.
  std::optional<double> pearson;
  /// Pearson's correlation of the ranks; equal numbers share the mean of their ranks. Absent if
  /// pearson is.
  std::optional<double> spearman;

  void fields(auto&& field) const {
    field("examples", examples);
    field("mean_squared_error", mean_squared_error);
    field("mean_absolute_error", mean_absolute_error);
    field("r2", r2);
    field("pearson", pearson);
    field("spearman", spearman);
  }
};

/// Compares predicted numbers with the true ones. O(n log n). Throws Error if the lengths differ,
/// if there are no examples (an error of 0 would look perfect) or if a number is not finite.
RegressionScores evaluate_regression(std::span<const double> truth,
                                     std::span<const double> predicted);

}  // namespace espalier
