#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace espalier {

/// Random numbers that are the same for a seed on every platform, which the distributions of the
/// standard library are not. SplitMix64 (Steele, Lea & Flood 2014): any seed is a good one, also 0
/// and the next after another. Not for secrets. Each thread needs its own.
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

  /// A number from 0 to `bound` - 1, all equally likely. Requires bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    // 2^64 mod bound: without these few, what is left is a multiple of bound.
    const std::uint64_t surplus = (0 - bound) % bound;
    std::uint64_t bits = next();
    while (bits < surplus) bits = next();
    return bits % bound;
  }

  /// A multiple of 2^-53 from [0, 1), all equally likely.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Puts the items into a random order, all equally likely (Fisher & Yates).
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
