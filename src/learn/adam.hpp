#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

/// Adam (Kingma & Ba 2015), with the usual constants, for the parameters of one layer.
class Adam {
 public:
  Adam(std::size_t numbers, double l2)
      : l2_(static_cast<float>(l2)), mean_(numbers), square_(numbers) {}

  /// Updates parameters [begin, end) of `values` by their gradient, given from `begin` on. `step`
  /// counts from 1; `rate` is the learning rate.
  void move(std::uint64_t step, double rate, std::size_t begin, std::size_t end,
            const float* gradient, float* values);

 private:
  float l2_;
  std::vector<float> mean_;    ///< exponential moving average of gradients
  std::vector<float> square_;  ///< the same of their squares
};

}  // namespace espalier
