#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/parameter.hpp"

namespace espalier {

// Online learning, one example at a time. The rules are stateless: given the scores of an example,
// they return the update, and the caller keeps f_o(x) = sum of coefficient * K(example, x) for each
// output o. Safe to call from many threads.

enum class OnlineRule {
  perceptron,            ///< adds 1 after each error (Rosenblatt 1958)
  passive_aggressive,    ///< the smallest change that gives a margin of 1 (Crammer et al. 2006)
  passive_aggressive_1,  ///< PA-I: the same, limited by the aggressiveness
  passive_aggressive_2   ///< PA-II: the same, damped by the aggressiveness
};
constexpr std::array<const char*, 4> names_of(OnlineRule) {
  return {"perceptron", "pa", "pa1", "pa2"};
}

struct OnlineOptions {
  OnlineRule rule = OnlineRule::passive_aggressive_1;
  double aggressiveness = 1;  ///< C in the paper, for PA-I and PA-II: small for noisy data

  static void describe(auto& self, auto&& field) {
    static constexpr const char* rules[] = {"pa", "pa1", "pa2"};
    field("rule", self.rule, "update rule: pa (no limit), pa1 (PA-I) or pa2 (PA-II)",
          {.choices = rules});
    field("aggressiveness", self.aggressiveness,
          "pa1, pa2: largest step, called C in the paper; small for noisy labels",
          {.range = Range::above(0)});
  }
};

/// The coefficient of the example in the function of one output.
struct OnlineUpdate {
  std::uint32_t output;
  double coefficient;
  friend bool operator==(const OnlineUpdate&, const OnlineUpdate&) = default;
};

/// The update after an example of `classes` with these class scores and self-kernel K(x, x). Empty
/// if the margin is large enough, or if the self-kernel is 0, so that no coefficient would change
/// its scores.
///
/// The margin is the lowest score of its classes minus the highest score of the others; on ties the
/// class with the lowest number counts. If there are no classes, or no others, their score is 0:
/// one output with classes {0} or {} is the binary rule.
std::vector<OnlineUpdate> update_classes(std::span<const double> scores,
                                         std::span<const std::uint32_t> classes, double self_kernel,
                                         const OnlineOptions& options = {});

/// The same for regression: the update of the only output if the error exceeds `epsilon`. Throws
/// Error for the perceptron.
std::vector<OnlineUpdate> update_number(double score, double target, double epsilon,
                                        double self_kernel, const OnlineOptions& options = {});

}  // namespace espalier
