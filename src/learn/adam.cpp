#include "learn/adam.hpp"

#include <cmath>

#include "base/simd.hpp"

namespace espalier {

namespace {

constexpr double mean_decay = 0.9;
constexpr double square_decay = 0.999;
constexpr float tiny = 1e-8F;

struct Step {
  float rate;
  float root;  ///< corrects the bias of squares that start at 0
  float l2;
};

ESPALIER_SIMD void move_all(const Step& step, std::size_t count, const float* __restrict gradient,
                            float* __restrict mean, float* __restrict square,
                            float* __restrict values) {
  constexpr auto m = static_cast<float>(mean_decay);
  constexpr auto s = static_cast<float>(square_decay);
  for (std::size_t k = 0; k < count; ++k) {
    const float g = gradient[k] + step.l2 * values[k];
    mean[k] = m * mean[k] + (1 - m) * g;
    square[k] = s * square[k] + (1 - s) * (g * g);
    values[k] -= step.rate * mean[k] / (step.root * std::sqrt(square[k]) + tiny);
  }
}

}  // namespace

void Adam::move(std::uint64_t step, double rate, std::size_t begin, std::size_t end,
                const float* gradient, float* values) {
  const auto n = static_cast<double>(step);
  const Step now{static_cast<float>(rate / (1 - std::pow(mean_decay, n))),
                 static_cast<float>(1 / std::sqrt(1 - std::pow(square_decay, n))), l2_};
  move_all(now, end - begin, gradient, mean_.data() + begin, square_.data() + begin,
           values + begin);
}

}  // namespace espalier
