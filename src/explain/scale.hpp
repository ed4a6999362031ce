#pragma once

#include <string>
#include <vector>

#include "explain/drawing.hpp"

namespace espalier {

/// From values to places in a picture.
struct Scale {
  double low = 0;
  double high = 1;
  double begin = 0;  ///< the place of `low`
  double end = 1;    ///< the place of `high`
  bool logarithmic = false;

  double operator()(double value) const;
};

/// A round number (1, 2 or 5 times a power of ten) that is at least `value`.
double round_step(double value);

/// Round values from `low` to `high`, about as many as asked for; whole numbers if asked for.
std::vector<double> ticks(double low, double high, std::size_t about, bool whole = false);

/// Powers of ten from `low` to `high`: every one, or as few as asked for.
std::vector<double> power_ticks(double low, double high, std::size_t most);

/// As a person writes it: 1,500, 0.25 or 10⁻⁵.
std::string tick_text(double value);

/// Lines across the picture with their values on the left.
void draw_grid(Drawing& drawing, const Scale& y, const std::vector<double>& values, double left,
               double right);

}  // namespace espalier
