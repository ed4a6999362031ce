#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "espalier/learn/network.hpp"

namespace espalier {

/// The loss of one example with outputs z; replaces z by its derivative.
template <class T>
double loss_and_derivative(NetworkLoss kind, std::span<T> z, std::span<const T> target) {
  double loss = 0;
  double normalizer = 0;
  const double highest = static_cast<double>(*std::ranges::max_element(z));
  if (kind == NetworkLoss::softmax) {
    for (const T value : z) normalizer += std::exp(static_cast<double>(value) - highest);
  }
  for (std::size_t k = 0; k < z.size(); ++k) {
    const auto value = static_cast<double>(z[k]);
    const auto wanted = static_cast<double>(target[k]);
    double guess = value;
    switch (kind) {
      case NetworkLoss::softmax:
        guess = std::exp(value - highest) / normalizer;
        loss -= wanted * (value - highest - std::log(normalizer));
        break;
      case NetworkLoss::logistic:
        guess = 1 / (1 + std::exp(-value));
        loss += std::log1p(std::exp(-std::abs(value))) + std::max(value, 0.0) - wanted * value;
        break;
      case NetworkLoss::squared:
        loss += (value - wanted) * (value - wanted) / 2;
        break;
    }
    z[k] = static_cast<T>(guess - wanted);
  }
  return loss;
}

}  // namespace espalier
