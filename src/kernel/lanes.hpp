#pragma once

#include <cstddef>

namespace espalier {

/// Several doubles that go through the same computation: one for each setting of a sweep. With one
/// lane it costs what a double costs.
template <std::size_t N>
struct Lanes {
  double lane[N];

  Lanes() = default;
  Lanes(double all) {  // NOLINT: a number is the same in all lanes
    for (double& x : lane) x = all;
  }
  Lanes& operator+=(const Lanes& other) {
    for (std::size_t i = 0; i < N; ++i) lane[i] += other.lane[i];
    return *this;
  }
  Lanes& operator-=(const Lanes& other) {
    for (std::size_t i = 0; i < N; ++i) lane[i] -= other.lane[i];
    return *this;
  }
  Lanes& operator*=(const Lanes& other) {
    for (std::size_t i = 0; i < N; ++i) lane[i] *= other.lane[i];
    return *this;
  }
  friend Lanes operator+(Lanes a, const Lanes& b) { return a += b; }
  friend Lanes operator-(Lanes a, const Lanes& b) { return a -= b; }
  friend Lanes operator*(Lanes a, const Lanes& b) { return a *= b; }
};

}  // namespace espalier
