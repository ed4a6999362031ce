#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "espalier/evaluate/resampling.hpp"
#include "parameters.hpp"

namespace espalier::cli {

/// The options of commands that show metrics: --metric, and how intervals are computed.
class MetricOptions {
 public:
  /// `resampling`: whether there are --resamples and --confidence.
  void add_to(CLI::App& command, bool resampling = true);
  /// Throws Error if there is no such metric: call it before long work.
  void check() const;
  std::vector<Metric> metrics(const Outcomes& outcomes) const {
    return metrics_named(names_, outcomes);
  }
  const ResamplingOptions& resampling() const { return resampling_; }
  /// "95 %".
  std::string confidence() const;

 private:
  std::vector<std::string> names_;
  ResamplingOptions resampling_;
  ParameterFlags flags_;
};

/// A line for each metric, for --help-all.
std::string describe_metrics();

}  // namespace espalier::cli
