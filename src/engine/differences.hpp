#pragma once

#include <span>

#include "engine/column_groups.hpp"

namespace espalier {

/// D(u,v) - base of one u for the column positions where it is not 0 (and possibly some where it
/// is), in ascending order: either ranges of positions, their values concatenated, or a list of
/// single positions.
template <class Value>
struct Differences {
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
