#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/number.hpp"
#include "explain/figures.hpp"
#include "explain/groups.hpp"
#include "explain/markup.hpp"
#include "explain/quantiles.hpp"
#include "explain/scale.hpp"

namespace espalier {

namespace {

constexpr double panel_width = 440, panel_gap = 20, panel_left = 30, result_row_height = 24,
                 header = 24, footer = 30;

/// Metrics in the order in which they first appear.
std::vector<std::string> metrics_of(const Report& report) {
  std::vector<std::string> out;
  for (const ResultSeries& series : report.results) {
    for (const auto& [name, values] : series.metrics) {
      if (!values.empty() && std::ranges::find(out, name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

/// Sorted; empty if the series has no such metric.
std::vector<double> values_of(const ResultSeries& series, const std::string& metric) {
  for (const auto& [name, values] : series.metrics) {
    if (name != metric) continue;
    std::vector<double> out = values;
    std::ranges::sort(out);
    return out;
  }
  return {};
}

Scale scale_of(const Report& report, const std::string& metric) {
  double low = 1e300, high = -1e300;
  for (const ResultSeries& series : report.results) {
    const std::vector<double> values = values_of(series, metric);
    if (values.empty()) continue;
    low = std::min(low, values.front());
    high = std::max(high, values.back());
  }
  const double step = round_step(std::max(high - low, 1e-3) / 5);
  low = std::floor(low / step + 1e-9) * step;
  high = std::max(std::ceil(high / step - 1e-9) * step, low + step);
  return {low, high, panel_left, panel_width - 16};
}

void draw_box(const std::vector<double>& values, const std::string& title, std::size_t number,
              double y, const Scale& x, Drawing& drawing) {
  const double low = x(quantile(values, 0.25)), high = x(quantile(values, 0.75)),
               median = x(quantile(values, 0.5));
  drawing.open_group(fmt::format("class=\"result c{}\"", number % colour_count));
  drawing.title(title);
  drawing.line({x(values.front()), y}, {low, y}, "whisker");
  drawing.line({high, y}, {x(values.back()), y}, "whisker");
  drawing.line({x(values.front()), y - 4}, {x(values.front()), y + 4}, "whisker");
  drawing.line({x(values.back()), y - 4}, {x(values.back()), y + 4}, "whisker");
  drawing.rectangle({low, y - 7}, std::max(1.0, high - low), 14, "quartiles");
  drawing.line({median, y - 7}, {median, y + 7}, "median");
  drawing.close_group();
}

/// One metric: a row for each setting.
Drawing draw_panel(const Report& report, const std::string& metric) {
  Drawing drawing;
  const Scale x = scale_of(report, metric);
  const double bottom = header + result_row_height * static_cast<double>(report.results.size());
  drawing.text({panel_left, 14}, metric, "strong");
  for (const double tick : ticks(x.low, x.high, 5)) {
    drawing.line({x(tick), header}, {x(tick), bottom}, "grid");
    drawing.text({x(tick), bottom + 16}, tick_text(tick), "middle");
  }
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const double y = header + result_row_height * (static_cast<double>(i) + 0.5);
    drawing.text({panel_left - 8, y + 4}, fmt::format("{}", i + 1), "end");
    const std::vector<double> values = values_of(report.results[i], metric);
    if (values.empty()) continue;
    draw_box(values,
             fmt::format("{}: median {:.4g} of {} splits, {:.4g} to {:.4g}", report.results[i].name,
                         quantile(values, 0.5), values.size(), values.front(), values.back()),
             i, y, x, drawing);
  }
  return drawing;
}

}  // namespace

Figure result_figure(const Report& report) {
  const std::vector<std::string> metrics = metrics_of(report);
  const double panel_height =
      header + result_row_height * static_cast<double>(report.results.size()) + footer;
  Figure figure{"results",
                "Results",
                "Each box holds the middle half of the splits, the line in it is the median, and "
                "the lines outside reach to the worst and the best split.",
                2 * panel_width + panel_gap,
                0,
                {}};
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const std::size_t column = m % 2, row = m / 2;
    figure.drawing.insert({static_cast<double>(column) * (panel_width + panel_gap),
                           static_cast<double>(row) * panel_height},
                          draw_panel(report, metrics[m]));
  }
  const std::size_t rows = (metrics.size() + 1) / 2;
  double y = static_cast<double>(rows) * panel_height + 12;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    figure.drawing.rectangle({panel_left - 22, y - 9}, 10, 10,
                             fmt::format("fill c{}", i % colour_count));
    figure.drawing.text({panel_left, y},
                        fitted(fmt::format("{}  {}", i + 1, report.results[i].name), 11,
                               figure.width - panel_left));
    y += 18;
  }
  figure.height = y;
  return figure;
}

}  // namespace espalier
