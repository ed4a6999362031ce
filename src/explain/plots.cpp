#include "espalier/explain/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/drawing.hpp"
#include "explain/html_page.hpp"
#include "explain/markup.hpp"
#include "explain/scale.hpp"

namespace espalier {

namespace {

constexpr std::size_t colours = 8;
constexpr double legend_row = 18;

std::string colour(std::size_t number) { return fmt::format("c{}", number % colours); }

/// Points joined by a line, on a band if they have one.
struct Series {
  std::string name;
  std::vector<Point> points;
  std::vector<Interval> band;       ///< of each point, or empty
  std::vector<std::string> titles;  ///< of each point, or empty: points are not marked
};

/// The smallest and the largest of the values added.
struct Extent {
  double low = 1e300;
  double high = -1e300;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// `margin` is a fraction of the extent, left free at both ends.
  Scale scale(double margin, double begin, double end) const {
    const double space = std::max(1e-6, margin * (high - low));
    return {low - space, high + space, begin, end};
  }
};

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

/// A grid between `top` and `bottom` that holds all lines, with the values of `x` below it. Returns
/// the scale of the values.
Scale draw_lines(std::span<const Series> lines, const Scale& x, const std::vector<double>& x_ticks,
                 double top, double bottom, Drawing& drawing) {
  Extent extent;
  for (const Series& series : lines) {
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      extent.add(band_at(series, i).low);
      extent.add(band_at(series, i).high);
    }
  }
  const Scale y = extent.scale(0.05, bottom, top);
  draw_grid(drawing, y, ticks(y.low, y.high, 5), x.begin, x.end);
  for (const double tick : x_ticks) {
    drawing.text({x(tick), bottom + 16}, tick_text(tick), "middle muted");
  }
  for (std::size_t k = 0; k < lines.size(); ++k) draw_series(lines[k], k, x, y, drawing);
  return y;
}

void draw_legend_entry(std::string_view name, std::size_t number, Point at, Drawing& drawing) {
  drawing.rectangle({at.x, at.y - 9}, 10, 10, "fill " + colour(number));
  drawing.text({at.x + 15, at.y}, name);
}

/// One of the two charts of a training curve.
void draw_panel(std::span<const NetworkEpoch> curve, const char* title, double top,
                std::span<const std::pair<const char*, double NetworkEpoch::*>> columns,
                Drawing& drawing) {
  constexpr double left = 60, right = 560, height = 180;
  drawing.text({left, top + 10}, title, "strong");
  std::vector<Series> lines;
  for (const auto& [name, value] : columns) {
    draw_legend_entry(name, lines.size(),
                      {left + 140 + 130 * static_cast<double>(lines.size()), top + 11}, drawing);
    Series& series = lines.emplace_back();
    for (const NetworkEpoch& epoch : curve) {
      series.points.push_back({static_cast<double>(series.points.size() + 1), epoch.*value});
    }
  }
  const Scale x{1, std::max(2.0, static_cast<double>(curve.size())), left, right};
  draw_lines(lines, x, ticks(x.low, x.high, 8, true), top + 24, top + height, drawing);
}

/// The line of that name, which is added if there is none.
Series& line_named(std::vector<Series>& lines, const std::string& name) {
  const auto found = std::ranges::find(lines, name, &Series::name);
  if (found != lines.end()) return *found;
  lines.emplace_back().name = name;
  return lines.back();
}

/// A line for each kernel.
std::vector<Series> lines_by_kernel(std::span<const TunePoint> points) {
  std::vector<TunePoint> sorted(points.begin(), points.end());
  std::ranges::stable_sort(sorted, {}, &TunePoint::cost);
  std::vector<Series> lines;
  for (const TunePoint& point : points) line_named(lines, point.kernel);
  for (const auto& [kernel, cost, score] : sorted) {
    Series& series = line_named(lines, kernel);
    series.points.push_back({cost, score.mean});
    const double deviation = score.standard_deviation.value_or(0);
    series.band.push_back({score.mean - deviation, score.mean + deviation});
    series.titles.push_back(fmt::format("{}, C = {}: {:.4f}", kernel, cost, score.mean));
  }
  return lines;
}

/// The different values, ascending.
std::vector<double> distinct(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

void draw_kernels(std::span<const Series> lines, double left, double right, double top,
                  Drawing& drawing) {
  for (std::size_t k = 0; k < lines.size(); ++k) {
    draw_legend_entry(fitted(lines[k].name, 11, right - left), k,
                      {left, top + legend_row * static_cast<double>(k)}, drawing);
  }
}

/// The scale of a column.
Scale column_scale(const Matrix<float>& points, std::size_t column, double begin, double end) {
  Extent extent;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    extent.add(static_cast<double>(points(i, column)));
  }
  return extent.scale(0.04, begin, end);
}

Figure scatter_figure(const Matrix<float>& points, const ScatterOptions& options) {
  constexpr double left = 60, right = 760, top = 16, bottom = 560;
  Figure out{"scatter", options.title, "", 780, bottom + 60, {}};
  const bool flat = points.columns() < 2;  // one component: all on a line
  const Scale x = column_scale(points, 0, left, right);
  const Scale y = flat ? Scale{-1, 1, bottom, top} : column_scale(points, 1, bottom, top);
  if (!flat) draw_grid(out.drawing, y, ticks(y.low, y.high, 6), left, right);
  for (const double tick : ticks(x.low, x.high, 8)) {
    out.drawing.text({x(tick), bottom + 16}, tick_text(tick), "middle muted");
  }
  if (!options.axes.empty()) {
    out.drawing.text({(left + right) / 2, bottom + 34}, options.axes[0], "middle axis-title");
  }
  if (options.axes.size() > 1) out.drawing.text({left, top - 4}, options.axes[1], "axis-title");
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const std::size_t group = options.groups.empty() ? 0 : options.groups[i];
    const double height = flat ? 0 : static_cast<double>(points(i, 1));
    out.drawing.circle({x(static_cast<double>(points(i, 0))), y(height)}, 3,
                       "point " + colour(group), options.texts.empty() ? "" : options.texts[i]);
  }
  double at = left;
  for (std::size_t c = 0; c < options.classes.size(); ++c) {
    const std::string name = shortened(options.classes[c], 20);
    out.drawing.circle({at, bottom + 50}, 4, "fill " + colour(c));
    out.drawing.text({at + 9, bottom + 54}, name);
    at += 28 + text_width(name, 11);
  }
  out.width = std::max(out.width, at);
  return out;
}

}  // namespace

std::string curve_svg(std::span<const NetworkEpoch> curve) {
  Figure figure{"curve", "Training of the network", "", 600, 470, {}};
  draw_panel(curve, "loss", 10,
             {{{"training", &NetworkEpoch::loss}, {"validation", &NetworkEpoch::validation_loss}}},
             figure.drawing);
  draw_panel(curve, "score", 230, {{{"validation", &NetworkEpoch::validation_score}}},
             figure.drawing);
  figure.drawing.text({310, 455}, "epoch", "middle axis-title");
  return standalone_svg(figure);
}

std::string tune_svg(std::span<const TunePoint> points, const Metric& metric) {
  constexpr double left = 60, right = 560, top = 24, bottom = 314;
  const std::vector<Series> lines = lines_by_kernel(points);
  const TunePoint& best = best_point(points, metric);
  Figure figure{"tune",
                fmt::format("{} by C", metric.name()),
                fmt::format("Mean over {} splits; bands are one standard deviation wide on either "
                            "side. Best, circled: {} with C = {}: {:.4f}.",
                            best.score.count, best.kernel, best.cost, best.score.mean),
                600,
                bottom + 52 + legend_row * static_cast<double>(lines.size()),
                {}};
  std::vector<double> costs;
  for (const TunePoint& point : points) costs.push_back(point.cost);
  costs = distinct(std::move(costs));
  const Scale x{costs.front(), costs.back(), left, right, true};
  figure.drawing.text({left, 14}, metric.name(), "axis-title");
  const Scale y = draw_lines(lines, x, costs, top, bottom, figure.drawing);
  figure.drawing.circle({x(best.cost), y(best.score.mean)}, 8, "ring", "the best");
  figure.drawing.text({(left + right) / 2, bottom + 34}, "C (logarithmic)", "middle axis-title");
  draw_kernels(lines, left, right, bottom + 58, figure.drawing);
  return standalone_svg(figure);
}

std::string learning_curve_svg(std::span<const CurvePoint> points, std::string_view metric) {
  constexpr double left = 60, right = 560, top = 24, middle = 264, second = 316, bottom = 436;
  std::vector<Series> scores, seconds;
  std::vector<double> sizes;
  bool intervals = true;
  for (const CurvePoint& point : points) {
    const auto size = static_cast<double>(point.size);
    sizes.push_back(size);
    Series& score = line_named(scores, point.kernel);
    score.points.push_back({size, point.score.mean});
    intervals = intervals && point.interval;
    score.band.push_back(point.interval.value_or(Interval{point.score.mean, point.score.mean}));
    score.titles.push_back(
        fmt::format("{}, {} examples: {:.4f}", point.kernel, point.size, point.score.mean));
    Series& time = line_named(seconds, point.kernel);
    time.points.push_back({size, point.seconds.mean});
    time.titles.push_back(
        fmt::format("{}, {} examples: {:.3g} s", point.kernel, point.size, point.seconds.mean));
  }
  sizes = distinct(std::move(sizes));
  Figure figure{
      "curve",
      "Learning curve",
      fmt::format("Mean over {} splits{}. Seconds of training and prediction, without "
                  "the kernel matrix.",
                  points[0].score.count, intervals ? "; bands are 95 % confidence intervals" : ""),
      600,
      bottom + 52 + legend_row * static_cast<double>(scores.size()),
      {}};
  const Scale x{sizes.front(), sizes.back(), left, right, true};
  figure.drawing.text({left, 14}, metric, "axis-title");
  draw_lines(scores, x, sizes, top, middle, figure.drawing);
  figure.drawing.text({left, second - 10}, "seconds", "axis-title");
  draw_lines(seconds, x, sizes, second, bottom, figure.drawing);
  figure.drawing.text({(left + right) / 2, bottom + 34}, "training examples (logarithmic)",
                      "middle axis-title");
  draw_kernels(scores, left, right, bottom + 58, figure.drawing);
  return standalone_svg(figure);
}

std::string scatter_svg(const Matrix<float>& points, const ScatterOptions& options) {
  return standalone_svg(scatter_figure(points, options));
}

std::string scatter_page(const Matrix<float>& points, const ScatterOptions& options) {
  return html_page(
      options.title,
      fmt::format("<h1>{}</h1>\n<p class=\"hint\">Hover over a point to see the "
                  "example.</p>\n<figure>{}</figure>\n",
                  escaped_markup(options.title), inline_svg(scatter_figure(points, options))));
}

}  // namespace espalier
