#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

/// Adam (Kingma & Ba 2015), with its usual constants, for the numbers of one layer.
class Adam {
 public:
  Adam(std::size_t numbers, double rate, double l2)
      : rate_(rate), l2_(static_cast<float>(l2)), mean_(numbers), square_(numbers) {}

  /// Moves numbers [begin, end) of `values` by their gradient, given from `begin` on. `step` counts
  /// from 1.
  void move(std::uint64_t step, std::size_t begin, std::size_t end, const float* gradient,
            float* values);

 private:
  double rate_;
  float l2_;
  std::vector<float> mean_;    ///< of gradients, the last ones counting most
  std::vector<float> square_;  ///< of their squares
};

}  // namespace espalier
