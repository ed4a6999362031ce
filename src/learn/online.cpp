#include "espalier/learn/online.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/id_index.hpp"
#include "espalier/base/number.hpp"
#include "espalier/learn/svm.hpp"
#include "learn/training.hpp"

namespace espalier {

namespace {

void check(double self_kernel, const OnlineOptions& options) {
  if (!(self_kernel >= 0) || !std::isfinite(self_kernel)) {
    throw Error(fmt::format("the self-kernel of the example is {}: it must not be negative",
                            print_number(self_kernel)));
  }
  check_above_zero("aggressiveness", options.aggressiveness);
}

void check_score(double score) {
  if (!std::isfinite(score)) throw Error("a score is infinite or NaN: the model has diverged");
}

/// tau of the paper: the step size for this loss, where a step of 1 changes it by `norm`.
double step(double loss, double norm, const OnlineOptions& options) {
  const double c = options.aggressiveness;
  double out = loss / norm;
  if (options.rule == OnlineRule::passive_aggressive_1) out = std::min(c, out);
  if (options.rule == OnlineRule::passive_aggressive_2) out = loss / (norm + 1 / (2 * c));
  return std::isfinite(out) ? out : 0;  // the kernel is practically 0
}

/// The two outputs that define the margin, or none for a missing one.
struct Rivals {
  std::uint32_t relevant = none;
  std::uint32_t other = none;
};

Rivals rivals(std::span<const double> scores, std::span<const std::uint32_t> classes) {
  Rivals out;
  for (std::uint32_t c = 0; c < scores.size(); ++c) {
    check_score(scores[c]);
    if (std::ranges::find(classes, c) != classes.end()) {
      if (out.relevant == none || scores[c] < scores[out.relevant]) out.relevant = c;
    } else if (out.other == none || scores[c] > scores[out.other]) {
      out.other = c;
    }
  }
  return out;
}

}  // namespace

std::vector<OnlineUpdate> update_classes(std::span<const double> scores,
                                         std::span<const std::uint32_t> classes, double self_kernel,
                                         const OnlineOptions& options) {
  check(self_kernel, options);
  if (scores.empty()) throw Error("there are no scores: give one for each class");
  for (const std::uint32_t c : classes) {
    if (c >= scores.size()) {
      throw Error(
          fmt::format("there is no class number {}: there are {} scores", c, scores.size()));
    }
  }
  if (self_kernel == 0) return {};
  const auto [relevant, other] = rivals(scores, classes);
  double margin = 0, norm = 0;
  if (relevant != none) margin += scores[relevant], norm += self_kernel;
  if (other != none) margin -= scores[other], norm += self_kernel;
  const bool perceptron = options.rule == OnlineRule::perceptron;
  const double tau =
      perceptron ? (margin > 0 ? 0 : 1) : step(std::max(0.0, 1 - margin), norm, options);
  std::vector<OnlineUpdate> out;
  if (tau > 0 && relevant != none) out.push_back({relevant, tau});
  if (tau > 0 && other != none) out.push_back({other, -tau});
  return out;
}

std::vector<OnlineUpdate> update_number(double score, double target, double epsilon,
                                        double self_kernel, const OnlineOptions& options) {
  check(self_kernel, options);
  check_score(score);
  if (options.rule == OnlineRule::perceptron) {
    throw Error("the perceptron is a classifier: for regression choose a passive-aggressive rule");
  }
  if (!std::isfinite(target)) throw Error("a target is infinite or NaN");
  check_parameters(SvrOptions{.epsilon = epsilon});
  if (self_kernel == 0) return {};
  const double error = target - score;
  const double tau = step(std::max(0.0, std::abs(error) - epsilon), self_kernel, options);
  if (tau == 0) return {};
  return {{0, std::copysign(tau, error)}};
}

}  // namespace espalier
