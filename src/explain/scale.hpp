#pragma once

#include <string>
#include <vector>

#include "explain/drawing.hpp"

namespace espalier {

/// Maps values to coordinates.
struct Scale {
  double low = 0;
  double high = 1;
  double begin = 0;  ///< coordinate of `low`
  double end = 1;    ///< coordinate of `high`
  bool logarithmic = false;

  double operator()(double value) const;
};

/// The smallest round number (1, 2 or 5 times a power of ten) that is at least `value`.
double round_step(double value);

/// About `about` round values from `low` to `high`; integers if `whole`.
std::vector<double> ticks(double low, double high, std::size_t about, bool whole = false);

/// Powers of ten from `low` to `high`, about `most` of them at most.
std::vector<double> power_ticks(double low, double high, std::size_t most);

/// As a person would write it: 1,500, 0.25 or 10⁻⁵.
std::string tick_text(double value);

/// Horizontal grid lines with their values on the left.
void draw_grid(Drawing& drawing, const Scale& y, const std::vector<double>& values, double left,
               double right);

}  // namespace espalier
