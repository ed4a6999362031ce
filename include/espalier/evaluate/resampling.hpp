#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/parameter.hpp"
#include "espalier/evaluate/metrics.hpp"
#include "espalier/evaluate/significance.hpp"

namespace espalier {

struct ResamplingOptions {
  std::size_t resamples = 2000;
  double confidence = 0.95;
  std::uint64_t seed = 1;

  static void describe(auto& self, auto&& field) {
    field("resamples", self.resamples,
          "resamples for confidence intervals and permutation tests; 0: none",
          {.range = {0, 1e9}, .common = true});
    field("confidence", self.confidence, "level of confidence intervals",
          {.range = {0, 1, true, true}});
    field("seed", self.seed, "random seed", {.range = {0, 0x1p53}, .common = true});
  }
};

// Resampling is by unit: `units` has a number for each example, and examples of a unit, such as the
// answers to a question, are drawn together. Empty: each example is a unit. With rankings, a unit
// must contain all examples of its ranked groups. Results do not depend on the number of threads.

/// A metric with its confidence interval.
struct Estimate {
  std::string metric;
  std::optional<double> value;  ///< absent where it is not defined
  /// Bootstrap, corrected for bias and acceleration (BCa, Efron 1987). Absent if there are no
  /// resamples, if the metric is not defined on one in twenty of them, or if it has the same value
  /// on all of them: that would say nothing about other examples.
  std::optional<Interval> interval;

  void fields(auto&& field) const {
    field("metric", metric);
    field("value", value);
    field("interval", interval);
  }
};

/// O((resamples + 200) * n) after a sort.
Estimate estimate(const Metric& metric, const Outcomes& outcomes,
                  std::span<const std::uint32_t> units, const ResamplingOptions& options = {},
                  const Context& context = {});

/// Two systems on the same examples, by one metric.
struct MetricComparison {
  std::string metric;
  double a = 0;
  double b = 0;
  double difference = 0;             ///< a - b
  std::optional<Interval> interval;  ///< of the difference; as in Estimate
  /// "mcnemar": exact; for accuracy where each example is a unit. "permutation": how often
  /// exchanging the predictions of random units gives at least this difference (Noreen 1989); exact
  /// if there are at most as many exchanges as resamples.
  std::string test;
  std::optional<double> p_value;  ///< absent without resamples if the test needs them

  void fields(auto&& field) const {
    field("metric", metric);
    field("a", a);
    field("b", b);
    field("difference", difference);
    field("interval", interval);
    field("test", test);
    field("p_value", p_value);
  }
};

/// Throws Error unless both are about the same examples and classes, or if the metric is not
/// defined.
MetricComparison compare(const Metric& metric, const Outcomes& a, const Outcomes& b,
                         std::span<const std::uint32_t> units,
                         const ResamplingOptions& options = {}, const Context& context = {});

}  // namespace espalier
