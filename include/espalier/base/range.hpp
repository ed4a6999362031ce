#pragma once

#include <limits>

namespace espalier {

/// The allowed values of a number, both ends included.
struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::max();
};

}  // namespace espalier
