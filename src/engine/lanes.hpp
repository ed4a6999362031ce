#pragma once

#include <cstddef>

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

}  // namespace espalier
