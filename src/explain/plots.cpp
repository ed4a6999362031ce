#include "espalier/explain/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/version.hpp"
#include "explain/assets.hpp"
#include "explain/drawing.hpp"
#include "explain/markup.hpp"
#include "explain/scale.hpp"

namespace espalier {

namespace {

constexpr std::size_t colours = 8;

std::string colour(std::size_t number) { return fmt::format("c{}", number % colours); }

std::string polyline(std::span<const NetworkEpoch> curve, double NetworkEpoch::*value,
                     const Scale& x, const Scale& y) {
  std::string out;
  for (std::size_t e = 0; e < curve.size(); ++e) {
    out += fmt::format("{}{} {}", e == 0 ? "M" : "L", coordinate(x(static_cast<double>(e + 1))),
                       coordinate(y(curve[e].*value)));
  }
  return out;
}

/// One of the two pictures of a training: lines over epochs.
struct Panel {
  const char* title;
  std::vector<std::pair<const char*, double NetworkEpoch::*>> lines;
};

void draw_panel(std::span<const NetworkEpoch> curve, const Panel& panel, double top,
                Drawing& drawing) {
  constexpr double left = 60, right = 560, height = 180;
  double low = 1e300, high = -1e300;
  for (const NetworkEpoch& epoch : curve) {
    for (const auto& [name, value] : panel.lines) {
      low = std::min(low, epoch.*value);
      high = std::max(high, epoch.*value);
    }
  }
  const double margin = std::max(1e-6, 0.05 * (high - low));
  const Scale x{1, std::max(2.0, static_cast<double>(curve.size())), left, right};
  const Scale y{low - margin, high + margin, top + height, top + 24};
  drawing.text({left, top + 10}, panel.title, "strong");
  draw_grid(drawing, y, ticks(y.low, y.high, 5), left, right);
  for (const double tick : ticks(x.low, x.high, 8, true)) {
    drawing.text({x(tick), top + height + 16}, tick_text(tick), "middle muted");
  }
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const auto& [name, value] = panel.lines[k];
    drawing.open_group(fmt::format("class=\"{}\"", colour(k)));
    drawing.path(polyline(curve, value, x, y), "curve");
    drawing.close_group();
    const double at = left + 140 + 130 * static_cast<double>(k);
    drawing.rectangle({at, top + 2}, 10, 10, "fill " + colour(k));
    drawing.text({at + 15, top + 11}, name);
  }
}

/// Ranges that hold all numbers of a column, with a margin.
Scale scale_of(const Matrix<float>& points, std::size_t column, double begin, double end) {
  double low = 1e300, high = -1e300;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    low = std::min(low, static_cast<double>(points(i, column)));
    high = std::max(high, static_cast<double>(points(i, column)));
  }
  const double margin = std::max(1e-6, 0.04 * (high - low));
  return {low - margin, high + margin, begin, end};
}

Figure scatter_figure(const Matrix<float>& points, const ScatterOptions& options) {
  constexpr double left = 60, right = 760, top = 16, bottom = 560;
  Figure out{"scatter", options.title, "", 780, bottom + 60, {}};
  const bool flat = points.columns() < 2;  // one component: all on a line
  const Scale x = scale_of(points, 0, left, right);
  const Scale y = flat ? Scale{-1, 1, bottom, top} : scale_of(points, 1, bottom, top);
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
  draw_panel(curve,
             {"loss",
              {{"training", &NetworkEpoch::loss}, {"development", &NetworkEpoch::validation_loss}}},
             10, figure.drawing);
  draw_panel(curve, {"score", {{"development", &NetworkEpoch::validation_score}}}, 230,
             figure.drawing);
  figure.drawing.text({310, 455}, "epoch", "middle axis-title");
  return standalone_svg(figure);
}

std::string scatter_svg(const Matrix<float>& points, const ScatterOptions& options) {
  return standalone_svg(scatter_figure(points, options));
}

std::string scatter_page(const Matrix<float>& points, const ScatterOptions& options) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n<style>\n{1}{2}</style>\n</head>\n"
      "<body>\n<main>\n<h1>{0}</h1>\n<p class=\"hint\">Rest the mouse on a point to see the "
      "example.</p>\n<figure>{3}</figure>\n"
      "<footer>Made by espalier {4}. One file that needs no network.</footer>\n</main>\n</body>\n"
      "</html>\n",
      escaped_markup(options.title), figure_css, report_css,
      inline_svg(scatter_figure(points, options)), version);
}

}  // namespace espalier
