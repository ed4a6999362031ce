#include <fmt/format.h>

#include <algorithm>

#include "espalier/base/error.hpp"
#include "espalier/explain/plots.hpp"
#include "explain/line_chart.hpp"

namespace espalier {

namespace {

constexpr std::size_t most_lines = line_colours;
constexpr double nearest_ticks = 30;
const std::string kernel_axis = "kernel";

/// The text of a value in a setting; nothing if it has no such parameter.
const SettingValue* value_named(std::span<const SettingValue> values, std::string_view name) {
  const auto found = std::ranges::find(values, name, &SettingValue::name);
  return found == values.end() ? nullptr : &*found;
}

/// The names of all values, and for each the different texts in order of appearance.
std::vector<std::pair<std::string, std::vector<std::string>>> tried(
    std::span<const TunePoint> points) {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (const TunePoint& point : points) {
    for (const SettingValue& value : point.values()) {
      auto place =
          std::ranges::find(out, value.name, [](const auto& entry) { return entry.first; });
      if (place == out.end()) place = out.insert(out.end(), {value.name, {}});
      if (std::ranges::find(place->second, value.text) == place->second.end()) {
        place->second.push_back(value.text);
      }
    }
  }
  return out;
}

bool is_numeric(std::span<const TunePoint> points, const std::string& name) {
  return std::ranges::all_of(points, [&](const TunePoint& point) {
    const auto values = point.values();
    const SettingValue* const value = value_named(values, name);
    return value == nullptr || std::holds_alternative<double>(value->value);
  });
}

/// The parameter with the most values, numbers before others and the later of equal ones.
std::string usual_axis(std::span<const TunePoint> points) {
  std::string out = kernel_axis;
  std::pair<bool, std::size_t> most{false, 1};
  for (const auto& [name, texts] : tried(points)) {
    const std::pair<bool, std::size_t> found{texts.size() > 1 && is_numeric(points, name),
                                             texts.size()};
    if (texts.size() < 2 || found < most) continue;
    most = found;
    out = name;
  }
  return out;
}

/// What the x axis shows: the number of each point, or the places of names.
struct Axis {
  std::string name;
  bool numeric = false;
  std::vector<std::string> names = {};  ///< of the places 0, 1, ..

  Axis(std::span<const TunePoint> points, const std::string& wanted)
      : name(wanted.empty() ? usual_axis(points) : wanted) {
    const auto all = tried(points);
    const auto found = std::ranges::find(all, name, [](const auto& entry) { return entry.first; });
    if (found != all.end()) {
      numeric = is_numeric(points, name);
      names = found->second;
    } else if (name == kernel_axis) {
      for (const TunePoint& point : points) {
        if (std::ranges::find(names, point.kernel) == names.end()) names.push_back(point.kernel);
      }
    } else {
      std::string list = kernel_axis;
      for (const auto& [known, texts] : all) list += ", " + known;
      throw Error("there is no parameter " + in_quotes(name) + " in this search: it has " + list);
    }
  }

  /// Nothing for a setting without the parameter.
  std::optional<double> place(const TunePoint& point) const {
    const auto values = point.values();
    const SettingValue* const value = value_named(values, name);
    if (value == nullptr && name != kernel_axis) return std::nullopt;
    if (numeric) return std::get<double>(value->value);
    const std::string& text = value == nullptr ? point.kernel : value->text;
    return static_cast<double>(std::ranges::find(names, text) - names.begin());
  }
};

/// What distinguishes the line of a point from others: all but what the axis shows.
std::string line_name(const TunePoint& point, const Axis& axis) {
  const bool swept = value_named(point.kernel_values, axis.name) != nullptr;
  std::vector<SettingValue> rest = point.parameters;
  if (swept) rest.insert(rest.begin(), point.kernel_values.begin(), point.kernel_values.end());
  std::erase_if(rest, [&](const SettingValue& value) { return value.name == axis.name; });
  const std::string kernel = swept ? point.expression : point.kernel;
  const std::string settings = to_string(rest);
  return settings.empty() ? kernel : kernel + ", " + settings;
}

/// The lines, those with the best points first.
std::vector<Series> lines_of(std::span<const TunePoint> points, const Axis& axis,
                             const Metric& metric) {
  std::vector<const TunePoint*> sorted;
  for (const TunePoint& point : points) {
    if (axis.place(point)) sorted.push_back(&point);
  }
  std::ranges::stable_sort(sorted, [&](const TunePoint* a, const TunePoint* b) {
    return metric.better(a->score.mean, b->score.mean);
  });
  std::vector<Series> lines;
  for (const TunePoint* point : sorted) line_named(lines, line_name(*point, axis));
  std::ranges::stable_sort(sorted, {}, [&](const TunePoint* point) { return *axis.place(*point); });
  for (const TunePoint* point : sorted) {
    Series& series = line_named(lines, line_name(*point, axis));
    const double mean = point->score.mean;
    const double deviation = point->score.standard_deviation.value_or(0);
    series.points.push_back({*axis.place(*point), mean});
    series.band.push_back({mean - deviation, mean + deviation});
    const auto values = point->values();
    series.titles.push_back(fmt::format("{}{}{}: {:.4f}", point->kernel, values.empty() ? "" : ", ",
                                        to_string(values), mean));
  }
  return lines;
}

/// Those far enough from each other to be written.
std::vector<double> readable_ticks(const std::vector<double>& values, const Scale& x) {
  std::vector<double> out;
  for (const double value : values) {
    if (out.empty() || x(value) - x(out.back()) >= nearest_ticks) out.push_back(value);
  }
  return out;
}

}  // namespace

std::string tune_svg(std::span<const TunePoint> points, const TunePoint& best, const Metric& metric,
                     const std::string& x_name) {
  constexpr double left = 60, right = 560, top = 24, bottom = 314;
  const Axis axis(points, x_name);
  std::vector<Series> lines = lines_of(points, axis, metric);
  const std::size_t all = lines.size();
  lines.resize(std::min(all, most_lines));
  const bool banded = best.score.standard_deviation.has_value();
  std::string caption = banded ? fmt::format(
                                     "Mean over {} splits; bands are one standard deviation "
                                     "wide on either side.",
                                     best.score.count)
                               : "On one test part.";
  if (std::ranges::any_of(points,
                          [&](const auto& p) { return p.score.count < best.score.count; })) {
    caption += " Settings that halving left out are means over fewer splits.";
  }
  if (all > lines.size()) caption += fmt::format(" The best {} of {} lines.", lines.size(), all);
  caption += fmt::format(" Chosen, circled: {}{}{}: {:.4f}.", best.kernel,
                         best.parameters.empty() ? "" : " with ", to_string(best.parameters),
                         best.score.mean);
  std::vector<double> places;
  for (const Series& line : lines) {
    for (const Point& point : line.points) places.push_back(point.x);
  }
  places = distinct(std::move(places));
  const bool logarithmic =
      axis.numeric && places.front() > 0 && places.back() >= 8 * places.front();
  const Scale x{places.front(), places.back(), left, right, logarithmic};
  std::vector<std::string> names;
  if (axis.name == kernel_axis) {
    for (std::size_t k = 0; k < axis.names.size(); ++k) names.push_back(std::to_string(k + 1));
  } else if (!axis.numeric) {
    names = axis.names;
  } else {
    places = readable_ticks(std::move(places), x);
  }
  Figure figure{"tune",
                fmt::format("{} by {}", metric.name(), axis.name),
                std::move(caption),
                600,
                bottom + 52 + legend_row * static_cast<double>(lines.size()),
                {}};
  figure.drawing.text({left, 14}, metric.name(), "axis-title");
  const Scale y = draw_lines(lines, x, places, top, bottom, figure.drawing, names);
  if (const auto place = axis.place(best)) {
    figure.drawing.circle({x(*place), y(best.score.mean)}, 8, "ring", "chosen");
  }
  figure.drawing.text({(left + right) / 2, bottom + 34},
                      axis.name + (logarithmic ? " (logarithmic)" : ""), "middle axis-title");
  draw_legend(lines, left, right, bottom + 58, figure.drawing);
  return standalone_svg(figure);
}

}  // namespace espalier
