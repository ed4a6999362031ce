#include <algorithm>
#include <cmath>

#include "espalier/learn/platt.hpp"

namespace espalier {

namespace {

/// Q of the paper: the objective is p'Qp / 2.
Matrix<double> quadratic_form(const Matrix<double>& pairs) {
  // Probabilities of 0 and 1 could disconnect the classes, and p would not be unique.
  constexpr double least = 1e-7;
  const auto pair = [&](std::size_t i, std::size_t j) {
    return std::clamp(pairs(i, j), least, 1 - least);
  };
  const std::size_t classes = pairs.rows();
  Matrix<double> q(classes, classes);
  for (std::size_t i = 0; i < classes; ++i) {
    q(i, i) = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      if (j == i) continue;
      q(i, i) += pair(j, i) * pair(j, i);
      q(i, j) = -pair(j, i) * pair(i, j);
    }
  }
  return q;
}

}  // namespace

std::vector<double> couple_pairs(const Matrix<double>& pairs) {
  constexpr int max_rounds = 1000;
  constexpr double tolerance = 1e-12;
  const std::size_t classes = pairs.rows();
  if (classes == 1) return {1.0};
  const Matrix<double> q = quadratic_form(pairs);
  std::vector<double> p(classes, 1 / static_cast<double>(classes));
  std::vector<double> products(classes);  // Q p
  for (int round = 0; round < max_rounds; ++round) {
    double form = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      products[i] = 0;
      for (std::size_t j = 0; j < classes; ++j) products[i] += q(i, j) * p[j];
      form += p[i] * products[i];
    }
    // At the optimum all products are equal to the quadratic form.
    double worst = 0;
    for (const double product : products) worst = std::max(worst, std::abs(product - form));
    if (worst < tolerance) break;
    for (std::size_t i = 0; i < classes; ++i) {
      const double step = (form - products[i]) / q(i, i);
      p[i] += step;
      form = (form + step * (step * q(i, i) + 2 * products[i])) / ((1 + step) * (1 + step));
      for (std::size_t j = 0; j < classes; ++j) {
        products[j] = (products[j] + step * q(i, j)) / (1 + step);
        p[j] /= 1 + step;
      }
    }
  }
  return p;
}

}  // namespace espalier
