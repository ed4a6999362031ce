#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace espalier {

/// Regression metrics. An undefined value is absent rather than 0, which would look like a result.
struct RegressionScores {
  std::uint64_t examples = 0;
  double mean_squared_error = 0;
  double mean_absolute_error = 0;
  /// R^2: 1 - squared error / squared distance of the truth from its mean. Negative if that mean
  /// would be a better prediction. Absent if all true numbers are equal.
  std::optional<double> r2;
  /// Pearson's correlation. Absent if all true or all predicted numbers are equal.
  std::optional<double> pearson;
  /// Spearman's correlation: Pearson's of the ranks; ties have their mean rank. Absent if pearson
  /// is.
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

/// Compares predicted with true numbers. O(n log n). Throws Error if the lengths differ, if there
/// are no examples (an error of 0 would look perfect) or if a number is not finite.
RegressionScores evaluate_regression(std::span<const double> truth,
                                     std::span<const double> predicted);

}  // namespace espalier
