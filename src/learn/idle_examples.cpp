#include "learn/idle_examples.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr std::uint8_t idle_rounds = 3;
constexpr double least_set_aside = 0.25;

}  // namespace

std::vector<std::uint8_t> IdleExamples::still_active(std::span<const std::uint8_t> moves,
                                                     std::span<const std::uint8_t> active) {
  std::vector<std::uint8_t> out(active.begin(), active.end());
  std::size_t before = 0, after = 0;
  for (std::size_t e = 0; e < out.size(); ++e) {
    if (out[e] == 0) continue;
    rounds_[e] = moves[e] != 0 ? 0 : std::min<std::uint8_t>(rounds_[e] + 1, idle_rounds);
    out[e] = static_cast<std::uint8_t>(rounds_[e] < idle_rounds);
    ++before;
    after += out[e];
  }
  const bool enough =
      static_cast<double>(before - after) >= least_set_aside * static_cast<double>(before);
  return enough ? out : std::vector<std::uint8_t>(active.begin(), active.end());
}

}  // namespace espalier
