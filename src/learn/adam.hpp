#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

/// Adam (Kingma & Ba 2015), with its usual constants, for the numbers of one layer.
class Adam {
 public:
  Adam(std::size_t numbers, double l2)
      : l2_(static_cast<float>(l2)), mean_(numbers), square_(numbers) {}

  /// Moves numbers [begin, end) of `values` by their gradient, given from `begin` on. `step` counts
  /// from 1, and is `rate` long.
  void move(std::uint64_t step, double rate, std::size_t begin, std::size_t end,
            const float* gradient, float* values);

 private:
  float l2_;
  std::vector<float> mean_;    ///< of gradients, the last ones counting most
  std::vector<float> square_;  ///< of their squares
};

}  // namespace espalier
