#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/evaluate/outcomes.hpp"
#include "espalier/evaluate/significance.hpp"

namespace espalier {

/// A metric of fixed outcomes, as a function of how often each example counts; absent where it is
/// not defined. Examples of a ranked group must count equally. May be called from many threads.
using WeightedMetric = std::function<std::optional<double>(std::span<const double> weights)>;

/// One row of the table of metrics.
struct MetricDescription {
  std::string_view name;
  std::string_view argument;  ///< what may follow after a colon: "CLASS", "K", or ""
  std::string_view task;      ///< "classification", "ranking" or "regression"
  bool greater_is_better = true;
  std::string_view help;
  double least = 0;     ///< value there can be
  double greatest = 1;  ///< value there can be
};

/// All metrics.
std::vector<MetricDescription> metric_descriptions();

/// A metric by name, with an argument or without: "macro_f1", "f1:HUM", "precision_at:5".
class Metric {
 public:
  /// Throws Error, which lists all metrics, if there is none of that name, or if its argument is
  /// missing or makes no sense.
  explicit Metric(std::string_view text);

  const std::string& name() const { return text_; }
  const MetricDescription& description() const;
  bool greater_is_better() const { return description().greater_is_better; }
  /// The part of an interval that has values there can be.
  Interval clipped(Interval interval) const;
  /// Whether `a` is a better value than `b`.
  bool better(double a, double b) const { return greater_is_better() ? a > b : a < b; }

  /// Computes once what does not depend on the weights, such as orders. `outcomes` must outlive the
  /// result. Throws Error if the metric does not apply: other task, no such class, no groups.
  WeightedMetric prepare(const Outcomes& outcomes) const;

  /// The value with all examples counted once. O(n log n).
  std::optional<double> operator()(const Outcomes& outcomes) const;
  /// The same; where it is not defined, throws an Error that says why.
  double value(const Outcomes& outcomes) const;

 private:
  std::string text_;
  std::size_t row_;
  std::string argument_;
};

/// Metrics from names. An empty list means usual_metrics().
std::vector<Metric> metrics_named(std::span<const std::string> names, const Outcomes& outcomes);

/// What to look at first: accuracy, micro_f1 for multi-label data, r2 for regression.
Metric default_metric(const Outcomes& outcomes);

/// What is shown unless metrics are named: the default one, and the most common ones for the task.
std::vector<Metric> usual_metrics(const Outcomes& outcomes);

}  // namespace espalier
