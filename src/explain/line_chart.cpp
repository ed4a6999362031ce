#include "explain/line_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/markup.hpp"

namespace espalier {

namespace {

Interval band_at(const Series& series, std::size_t point) {
  const double value = series.points[point].y;
  return series.band.empty() ? Interval{value, value} : series.band[point];
}

void draw_series(const Series& series, std::size_t number, const Scale& x, const Scale& y,
                 Drawing& drawing) {
  std::string curve, upper, lower;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto [across, value] = series.points[i];
    const auto step = [&, across = across](const char* command, double height) {
      return fmt::format("{}{} {}", command, coordinate(x(across)), coordinate(y(height)));
    };
    const char* const command = i == 0 ? "M" : "L";
    curve += step(command, value);
    upper += step(command, band_at(series, i).high);
    lower.insert(0, step("L", band_at(series, i).low));
  }
  drawing.open_group(fmt::format("class=\"{}\"", colour(number)));
  if (!series.band.empty()) drawing.path(upper + lower + "Z", "band");
  drawing.path(curve, "curve");
  for (std::size_t i = 0; i < series.titles.size(); ++i) {
    drawing.circle({x(series.points[i].x), y(series.points[i].y)}, 3, "fill", series.titles[i]);
  }
  drawing.close_group();
}

}  // namespace

std::string colour(std::size_t number) { return fmt::format("c{}", number % line_colours); }

Scale draw_lines(std::span<const Series> lines, const Scale& x, const std::vector<double>& x_ticks,
                 double top, double bottom, Drawing& drawing,
                 std::span<const std::string> x_names) {
  Extent extent;
  for (const Series& series : lines) {
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      extent.add(band_at(series, i).low);
      extent.add(band_at(series, i).high);
    }
  }
  const Scale y = extent.scale(0.05, bottom, top);
  draw_grid(drawing, y, ticks(y.low, y.high, 5), x.begin, x.end);
  for (std::size_t t = 0; t < x_ticks.size(); ++t) {
    drawing.text({x(x_ticks[t]), bottom + 16}, x_names.empty() ? tick_text(x_ticks[t]) : x_names[t],
                 "middle muted");
  }
  for (std::size_t k = 0; k < lines.size(); ++k) draw_series(lines[k], k, x, y, drawing);
  return y;
}

void draw_legend_entry(std::string_view name, std::size_t number, Point at, Drawing& drawing) {
  drawing.rectangle({at.x, at.y - 9}, 10, 10, "fill " + colour(number));
  drawing.text({at.x + 15, at.y}, name);
}

Series& line_named(std::vector<Series>& lines, const std::string& name) {
  const auto found = std::ranges::find(lines, name, &Series::name);
  if (found != lines.end()) return *found;
  lines.emplace_back().name = name;
  return lines.back();
}

std::vector<double> distinct(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

void draw_legend(std::span<const Series> lines, double left, double right, double top,
                 Drawing& drawing) {
  for (std::size_t k = 0; k < lines.size(); ++k) {
    draw_legend_entry(fitted(lines[k].name, 11, right - left), k,
                      {left, top + legend_row * static_cast<double>(k)}, drawing);
  }
}

}  // namespace espalier
