#pragma once

#include <limits>

namespace espalier {

/// The values that a number may take, both ends included.
struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::max();
};

}  // namespace espalier
