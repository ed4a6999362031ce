#pragma once

#include <cstdint>

namespace espalier {

// Relative errors are about 1e-12.

/// log(gamma(x)) for x > 0. Unlike std::lgamma() it writes no global variable.
double log_gamma(double x);

/// P(|T| >= |t|) of Student's t distribution.
double student_t_two_sided(double t, double degrees);

/// The t for which P(|T| >= t) = p, 0 < p < 1.
double student_t_critical(double p, double degrees);

/// P(|Z| >= |z|) of the standard normal distribution.
double normal_two_sided(double z);

/// P(Z <= z).
double normal_below(double z);

/// The z for which P(Z <= z) = p, 0 < p < 1.
double normal_quantile(double p);

/// P(X <= k) of n fair coin tosses.
double fair_binomial_below(std::uint64_t k, std::uint64_t n);

}  // namespace espalier
