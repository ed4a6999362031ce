#include "tune_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace espalier::cli {

std::string tune_row(const TunePoint& point, const TuneOptions& tuning, bool first) {
  std::string out;
  if (first) {
    out = "kernel";
    for (const SettingValue& value : point.parameters) out += "\t" + value.name;
    out += std::string("\tmean\tdeviation") + (tuning.halving ? "\tsplits\n" : "\n");
  }
  out += point.kernel;
  for (const SettingValue& value : point.parameters) out += "\t" + value.text;
  out += "\t" + cell(point.score.mean) + "\t" + cell(point.score.standard_deviation);
  return out + (tuning.halving ? fmt::format("\t{}\n", point.score.count) : "\n");
}

Table tune_table(std::span<const TunePoint> points, const TunePoint& best) {
  Table out;
  out.head.emplace_back("kernel");
  for (const SettingValue& value : points[0].parameters) out.head.push_back(value.name);
  for (const char* title : {"mean", "deviation", "low", "high", "splits", "chosen"}) {
    out.head.emplace_back(title);
  }
  for (const TunePoint& point : points) {
    auto& row = out.rows.emplace_back();
    row.push_back(point.kernel);
    for (const SettingValue& value : point.parameters) row.push_back(value.text);
    row.insert(row.end(), {cell(point.score.mean), cell(point.score.standard_deviation)});
    append_cells(point.interval, row);
    row.insert(row.end(), {std::to_string(point.score.count), &point == &best ? "*" : ""});
  }
  return out;
}

Table nested_table(const NestedResult& found, const Metric& metric) {
  Table out{{"fold", "kernel"}, {}};
  for (const SettingValue& value : found.chosen[0].parameters) out.head.push_back(value.name);
  out.head.insert(out.head.end(), {"in the search", "on the test part"});
  for (std::size_t s = 0; s < found.chosen.size(); ++s) {
    const TunePoint& point = found.chosen[s];
    auto& row = out.rows.emplace_back();
    row.insert(row.end(), {std::to_string(s + 1), point.kernel});
    for (const SettingValue& value : point.parameters) row.push_back(value.text);
    row.insert(row.end(), {cell(point.score.mean), cell(metric(found.result.splits[s]))});
  }
  return out;
}

std::string nested_text(const NestedResult& found, const Metric& metric) {
  const Spread spread = found.result.spread_of(metric);
  std::string out = fmt::format("{} on the test parts: {:.4f}", metric.name(), spread.mean);
  if (const auto interval = found.result.interval_of(metric)) {
    out += fmt::format(", 95 % interval {:.4f} to {:.4f}", interval->low, interval->high);
  }
  return out + fmt::format(", over {} outer folds\n", found.chosen.size());
}

}  // namespace espalier::cli
