#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

// Learning from one example after the other. These rules keep no state: they say from the scores of
// an example what is to be added to the model, and the caller keeps f_o(x) = sum of its
// coefficients for output o times K(example, x). They allocate a few numbers, and may be used by
// many threads.

enum class OnlineRule {
  perceptron,            ///< adds 1 after each error (Rosenblatt 1958)
  passive_aggressive,    ///< the smallest change that makes the margin 1 (Crammer et al. 2006)
  passive_aggressive_1,  ///< PA-I: the same, but never more than the aggressiveness
  passive_aggressive_2   ///< PA-II: the same, damped by the aggressiveness: smooth where PA-I cuts
};

struct OnlineOptions {
  OnlineRule rule = OnlineRule::passive_aggressive_1;
  double aggressiveness = 1;  ///< C in the paper, for PA-I and PA-II: small for noisy examples
};

/// The coefficient that the example gets in the function of one output.
struct OnlineUpdate {
  std::uint32_t output;
  double coefficient;
  friend bool operator==(const OnlineUpdate&, const OnlineUpdate&) = default;
};

/// What to add after an example with these scores, one for each class, that belongs to `classes`
/// and has the kernel `self_kernel` with itself. Empty if it is well enough classified, or if its
/// kernel with itself is 0: no coefficient would change its scores.
///
/// The margin is that of the lowest score of its classes above the highest of the others; of equal
/// ones the lowest number counts. Where there are no others, or no classes, 0 stands for the
/// missing score: so one output with classes {0} or {} is the binary rule.
std::vector<OnlineUpdate> update_classes(std::span<const double> scores,
                                         std::span<const std::uint32_t> classes, double self_kernel,
                                         const OnlineOptions& options = {});

/// What to add to the only output after an example with this score, for errors above `epsilon`. Not
/// for the perceptron, which is an Error.
std::vector<OnlineUpdate> update_number(double score, double target, double epsilon,
                                        double self_kernel, const OnlineOptions& options = {});

}  // namespace espalier
