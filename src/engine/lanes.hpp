#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "espalier/kernel/kernel.hpp"

namespace espalier {

/// The maximum number of settings of a sweep that share a pass.
inline constexpr std::size_t most_lanes = 8;

/// Several doubles that go through the same computation: one for each setting of a sweep.
struct Lanes {
  double lane[most_lanes];

  Lanes() = default;
  Lanes(double all) {  // NOLINT: a number is the same in all lanes
    for (double& x : lane) x = all;
  }
  Lanes& operator+=(const Lanes& other) {
    for (std::size_t i = 0; i < most_lanes; ++i) lane[i] += other.lane[i];
    return *this;
  }
  Lanes& operator-=(const Lanes& other) {
    for (std::size_t i = 0; i < most_lanes; ++i) lane[i] -= other.lane[i];
    return *this;
  }
  Lanes& operator*=(const Lanes& other) {
    for (std::size_t i = 0; i < most_lanes; ++i) lane[i] *= other.lane[i];
    return *this;
  }
  friend bool operator==(const Lanes&, const Lanes&) = default;
  friend Lanes operator+(Lanes a, const Lanes& b) { return a += b; }
  friend Lanes operator-(Lanes a, const Lanes& b) { return a -= b; }
  friend Lanes operator*(Lanes a, const Lanes& b) { return a *= b; }
};

/// Gathers an option of each setting into lanes.
template <class Value, class Options, class Holder>
Value lanes(std::span<const TreeKernelNode> settings, double Holder::*field) {
  const auto get = [&](std::size_t s) { return std::get<Options>(settings[s].options).*field; };
  if constexpr (requires(Value v) { v.lane; }) {
    Value out;
    for (std::size_t s = 0; s < std::size(out.lane); ++s) {
      out.lane[s] = get(std::min(s, settings.size() - 1));
    }
    return out;
  } else {
    return Value(get(0));
  }
}

}  // namespace espalier
