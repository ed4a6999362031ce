#include "metrics.hpp"

#include <fmt/format.h>

namespace espalier::cli {

void MetricOptions::add_to(CLI::App& command, bool resampling) {
  command
      .add_option("--metric", names_,
                  "the metrics to show, as in accuracy,f1:HUM,roc_auc [the usual ones]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME,..");
  if (resampling) flags_.add_to(command, resampling_);
}

void MetricOptions::check() const {
  for (const std::string& name : names_) Metric{name};
}

std::string MetricOptions::confidence() const {
  return fmt::format("{:g} %", 100 * resampling_.confidence);
}

std::string describe_metrics() {
  std::string out = "Metrics:\n";
  for (const MetricDescription& row : metric_descriptions()) {
    const std::string name =
        std::string(row.name) + (row.argument.empty() ? "" : fmt::format(":{}", row.argument));
    out += fmt::format("  {:<24} {} ({})\n", name, row.help, row.task);
  }
  return out;
}

}  // namespace espalier::cli
