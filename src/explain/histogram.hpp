#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "explain/drawing.hpp"

namespace espalier {

/// Values from `low` up to below `high`.
struct Bin {
  double low = 0;
  double high = 0;
  std::uint64_t count = 0;
};

struct Histogram {
  std::vector<Bin> bins;
  bool logarithmic = false;  ///< whether the bins grow by a factor
  bool whole = false;        ///< whether values are whole numbers
};

/// At most about 30 bins with round ends. Whole numbers that spread far get bins that grow.
Histogram make_histogram(std::span<const double> values, bool whole);

/// What a histogram is of.
struct HistogramText {
  std::string name;   ///< of the figure
  std::string title;  ///< of the figure
  std::string axis;   ///< what the values are
  std::string what;   ///< what is counted, as in "trees"
};

Figure histogram_figure(std::span<const double> values, bool whole, const HistogramText& text);

}  // namespace espalier
