#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "explain/drawing.hpp"

namespace espalier {

/// Values in [low, high).
struct Bin {
  double low = 0;
  double high = 0;
  std::uint64_t count = 0;
};

struct Histogram {
  std::vector<Bin> bins;
  bool logarithmic = false;  ///< whether the bins grow geometrically
  bool whole = false;        ///< whether values are integers
};

/// At most about 30 bins with round ends. Integers with a wide range get growing bins.
Histogram make_histogram(std::span<const double> values, bool whole);

/// The texts of a histogram.
struct HistogramText {
  std::string name;   ///< of the figure
  std::string title;  ///< of the figure
  std::string axis;   ///< describes the values
  std::string what;   ///< what is counted: "tree"
};

Figure histogram_figure(std::span<const double> values, bool whole, const HistogramText& text);

}  // namespace espalier
