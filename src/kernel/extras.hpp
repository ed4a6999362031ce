#pragma once

#include <span>

#include "kernel/column_groups.hpp"

namespace espalier {

/// D(u,v) - base of one u, for the positions of columns where it is not 0 (and perhaps some where
/// it is), in rising order: either ranges of positions, with the values of all one after the other,
/// or single ones.
template <class Value>
struct Extras {
  std::span<const Positions> ranges;
  const Value* values = nullptr;
  std::span<const std::uint32_t> positions = {};

  bool empty() const { return ranges.empty() && positions.empty(); }
  std::size_t size() const {
    std::size_t total = positions.size();
    for (const Positions& range : ranges) total += range.size();
    return total;
  }
};

}  // namespace espalier
