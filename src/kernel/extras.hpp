#pragma once

#include <span>

#include "kernel/column_groups.hpp"

namespace espalier {

/// D(u,v) - base of one u, for the positions of columns where it is not 0 (and perhaps some where
/// it is): the values of all ranges one after the other.
template <class Value>
struct Extras {
  std::span<const Positions> ranges;
  const Value* values = nullptr;

  std::size_t size() const {
    std::size_t total = 0;
    for (const Positions& range : ranges) total += range.size();
    return total;
  }
};

}  // namespace espalier
