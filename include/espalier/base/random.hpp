#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace espalier {

/// Random numbers that are the same for a seed on every platform, unlike the distributions of the
/// standard library. SplitMix64 (Steele, Lea & Flood 2014): every seed is good, including 0 and
/// consecutive ones. Not cryptographically secure. Not thread-safe.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// 64 random bits.
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  /// A uniform number from 0 to `bound` - 1. Requires bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t bits = next();
    if (bits < bound) {  // Seldom, and division is slow.
      // 2^64 mod bound: rejecting these leaves a multiple of bound.
      const std::uint64_t surplus = (0 - bound) % bound;
      while (bits < surplus) bits = next();
    }
    return bits % bound;
  }

  /// A uniform multiple of 2^-53 in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Shuffles the items uniformly (Fisher & Yates).
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[static_cast<std::size_t>(below(left))]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace espalier
