#include <algorithm>
#include <vector>

#include "espalier/model/tune.hpp"

namespace espalier {

namespace {

/// A number in the setting, if it is one.
std::optional<double> number_of(std::span<const SettingValue> values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &SettingValue::name);
  if (found == values.end() || !std::holds_alternative<double>(found->value)) return std::nullopt;
  return std::get<double>(found->value);
}

/// The range of a parameter of kernels: that of the first kernel that has it.
Range kernel_range(std::string_view list_name) {
  const std::string_view name = list_name.substr(0, list_name.find(' '));  // "lambda (2)"
  for (const KernelDescription& kernel : kernel_descriptions()) {
    if (const ParameterRow* row = find_parameter(kernel.parameters, name)) return row->range;
  }
  return Range::above(0);
}

Range parameter_range(const std::string& name) {
  TrainOptions options;
  return Parameters(options).find(name).range;
}

/// Adds the parameter if its best value is at an edge beyond which there are values.
void add_edge(const SettingValue& best, std::vector<double> tried, const Range& range,
              bool of_kernel, std::vector<GridEdge>& out) {
  if (!std::holds_alternative<double>(best.value) || tried.empty()) return;
  const double value = std::get<double>(best.value);
  const auto [low, high] = std::ranges::minmax(tried);
  if (low == high) return;
  if (value == low && value > range.low) out.push_back({best.name, best.text, false, of_kernel});
  if (value == high && value < range.high) out.push_back({best.name, best.text, true, of_kernel});
}

}  // namespace

std::vector<GridEdge> grid_edges(std::span<const TunePoint> points, const TunePoint& best) {
  std::vector<GridEdge> out;
  for (const SettingValue& value : best.kernel_values) {
    std::vector<double> tried;
    for (const TunePoint& point : points) {
      if (point.expression != best.expression) continue;
      if (const auto number = number_of(point.kernel_values, value.name)) tried.push_back(*number);
    }
    add_edge(value, std::move(tried), kernel_range(value.name), true, out);
  }
  for (const SettingValue& value : best.parameters) {
    std::vector<double> tried;
    for (const TunePoint& point : points) {
      if (const auto number = number_of(point.parameters, value.name)) tried.push_back(*number);
    }
    add_edge(value, std::move(tried), parameter_range(value.name), false, out);
  }
  return out;
}

}  // namespace espalier
