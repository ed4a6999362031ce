#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace espalier::bench {

/// Seconds by the clock on the wall, and of the processor's time: on a machine that does other
/// things too, the second tells what a computation on one thread costs.
struct Time {
  double wall = 0;
  double processor = 0;
};

template <class Work>
Time time_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC};
}

inline Time shorter(const Time& a, const Time& b) {
  return {std::min(a.wall, b.wall), std::min(a.processor, b.processor)};
}

/// Longer than any time that was measured.
constexpr double never = std::numeric_limits<double>::infinity();

/// The shortest of several runs: three, fewer if they are long, more if they are short.
template <class Work>
Time shortest(Work&& work) {
  Time best{never, never};
  double total = 0;
  for (int runs = 0; (runs < 3 || total < 0.5) && total < 60; ++runs) {
    const Time time = time_of(work);
    best = shorter(best, time);
    total += time.wall;
  }
  return best;
}

}  // namespace espalier::bench
