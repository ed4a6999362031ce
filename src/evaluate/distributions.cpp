#include "evaluate/distributions.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace espalier {

namespace {

/// The continued fraction of the incomplete beta function, by the modified Lentz method.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto not_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double out = d;
  for (double m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    out *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    out *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return out;
}

/// The regularised incomplete beta function at x; `rest` is 1 - x, which may be too small to be
/// computed from x.
double regularised_beta(double a, double b, double x, double rest) {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) +
                                b * std::log(rest));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, rest) / b;
}

}  // namespace

double log_gamma(double x) {
  double product = 1;
  for (; x < 20; ++x) product *= x;
  // Stirling's series; the next term is below 1e-17 from 20 on.
  const double y = 1 / (x * x);
  const double series =
      (1.0 / 12 +
       y * (-1.0 / 360 +
            y * (1.0 / 1260 + y * (-1.0 / 1680 + y * (1.0 / 1188 + y * -691.0 / 360360))))) /
      x;
  return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) + series -
         std::log(product);
}

double student_t_two_sided(double t, double degrees) {
  if (std::isinf(t)) return 0;
  const double square = t * t;
  return regularised_beta(degrees / 2, 0.5, degrees / (degrees + square),
                          square / (degrees + square));
}

double student_t_critical(double p, double degrees) {
  double low = 0, high = 1;
  while (student_t_two_sided(high, degrees) > p && high < 1e300) high *= 2;
  for (int step = 0; step < 200; ++step) {
    const double middle = low + (high - low) / 2;
    (student_t_two_sided(middle, degrees) > p ? low : high) = middle;
  }
  return high;
}

double normal_two_sided(double z) { return std::erfc(std::abs(z) / std::numbers::sqrt2); }

double normal_below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);  // small probabilities are the exact ones
  double low = -40, high = 0;
  for (int step = 0; step < 200; ++step) {
    const double middle = low + (high - low) / 2;
    (normal_below(middle) < p ? low : high) = middle;
  }
  return high;
}

double fair_binomial_below(std::uint64_t k, std::uint64_t n) {
  if (k >= n) return 1;
  const auto heads = static_cast<double>(k), all = static_cast<double>(n);
  double term = std::exp(log_gamma(all + 1) - log_gamma(heads + 1) - log_gamma(all - heads + 1) -
                         all * std::numbers::ln2);
  double sum = 0;
  for (double j = heads; j >= 0 && term > sum * 1e-17; --j) {
    sum += term;
    term *= j / (all - j + 1);
  }
  return sum < 1 ? sum : 1;
}

}  // namespace espalier
