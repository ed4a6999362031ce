#include "espalier/explain/plots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/drawing.hpp"
#include "explain/html_page.hpp"
#include "explain/line_chart.hpp"
#include "explain/markup.hpp"
#include "explain/scale.hpp"

namespace espalier {

namespace {

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
  draw_legend(scores, left, right, bottom + 58, figure.drawing);
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
