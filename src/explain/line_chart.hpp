#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/evaluate/significance.hpp"
#include "explain/drawing.hpp"
#include "explain/scale.hpp"

namespace espalier {

inline constexpr std::size_t line_colours = 8;
inline constexpr double legend_row = 18;

/// The class of the colour of a line.
std::string colour(std::size_t number);

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

/// A grid between `top` and `bottom` that holds all lines, with the values of `x` below it, or
/// their names. Returns the scale of the values.
Scale draw_lines(std::span<const Series> lines, const Scale& x, const std::vector<double>& x_ticks,
                 double top, double bottom, Drawing& drawing,
                 std::span<const std::string> x_names = {});

void draw_legend_entry(std::string_view name, std::size_t number, Point at, Drawing& drawing);
/// An entry for each line, below each other.
void draw_legend(std::span<const Series> lines, double left, double right, double top,
                 Drawing& drawing);

/// The line of that name, which is added if there is none.
Series& line_named(std::vector<Series>& lines, const std::string& name);

/// The different values, ascending.
std::vector<double> distinct(std::vector<double> values);

}  // namespace espalier
