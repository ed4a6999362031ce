#include "espalier/learn/platt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

/// The log-likelihood of a sigmoid, with its derivatives.
class Likelihood {
 public:
  Likelihood(std::vector<double> scores, std::span<const std::int8_t> signs)
      : scores_(std::move(scores)) {
    const auto positives =
        static_cast<double>(std::ranges::count_if(signs, [](auto s) { return s > 0; }));
    const double negatives = static_cast<double>(signs.size()) - positives;
    start_offset_ = std::log((negatives + 1) / (positives + 1));
    for (const auto sign : signs) {
      targets_.push_back(sign > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2));
    }
  }

  double start_offset() const { return start_offset_; }

  /// Negative log-likelihood, in a form that neither overflows nor cancels.
  double loss(const Sigmoid& at) const {
    double sum = 0;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const double z = at.slope * scores_[i] + at.offset;
      const double t = targets_[i];
      sum += z >= 0 ? t * z + std::log1p(std::exp(-z)) : (t - 1) * z + std::log1p(std::exp(z));
    }
    return sum;
  }

  struct Slope {
    double g1 = 0, g2 = 0;             ///< gradient
    double h11 = 0, h21 = 0, h22 = 0;  ///< Hessian
  };
  Slope derivatives(const Sigmoid& at) const {
    constexpr double ridge = 1e-12;  // keeps the Hessian regular if all scores are equal
    Slope out;
    out.h11 = out.h22 = ridge;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const double f = scores_[i];
      const double p = probability(at, f);
      const double error = targets_[i] - p, weight = p * (1 - p);
      out.g1 += f * error;
      out.g2 += error;
      out.h11 += f * f * weight;
      out.h21 += f * weight;
      out.h22 += weight;
    }
    return out;
  }

 private:
  std::vector<double> scores_;
  std::vector<double> targets_;
  double start_offset_ = 0;
};

/// Newton's method with backtracking line search.
Sigmoid minimum(const Likelihood& likelihood, double tolerance) {
  constexpr int max_steps = 100;
  constexpr double least_share = 1e-10;
  Sigmoid at = {0, likelihood.start_offset()};
  double loss = likelihood.loss(at);
  for (int step = 0; step < max_steps; ++step) {
    const auto [g1, g2, h11, h21, h22] = likelihood.derivatives(at);
    if (std::abs(g1) < tolerance && std::abs(g2) < tolerance) break;
    const double determinant = h11 * h22 - h21 * h21;
    const double d1 = -(h22 * g1 - h21 * g2) / determinant;
    const double d2 = -(h11 * g2 - h21 * g1) / determinant;
    const double descent = g1 * d1 + g2 * d2;
    double share = 1;
    for (; share >= least_share; share /= 2) {
      const Sigmoid next = {at.slope + share * d1, at.offset + share * d2};
      const double next_loss = likelihood.loss(next);
      if (next_loss >= loss + 1e-4 * share * descent) continue;
      at = next;
      loss = next_loss;
      break;
    }
    if (share < least_share) break;  // at the limit of the precision
  }
  return at;
}

std::vector<double> coupled(const BinaryClassifiers& classifiers, std::span<const Sigmoid> sigmoids,
                            std::span<const double> scores, std::vector<double> out) {
  std::vector<std::uint32_t> present;
  std::vector<std::size_t> place(out.size(), 0);
  for (std::uint32_t c = 0; c < out.size(); ++c) {
    if (classifiers.class_sizes[c] == 0) continue;
    place[c] = present.size();
    present.push_back(c);
  }
  Matrix<double> pairs(present.size(), present.size());
  for (std::size_t m = 0; m < scores.size(); ++m) {
    const std::size_t a = place[classifiers.problems[m].positive];
    const std::size_t b = place[classifiers.problems[m].negative];
    pairs(a, b) = probability(sigmoids[m], scores[m]);
    pairs(b, a) = 1 - pairs(a, b);
  }
  const auto probabilities = couple_pairs(pairs);
  for (std::size_t i = 0; i < present.size(); ++i) out[present[i]] = probabilities[i];
  return out;
}

void normalise(std::vector<double>& values, const std::vector<std::size_t>& class_sizes) {
  double sum = 0;
  std::size_t present = 0;
  for (std::size_t c = 0; c < values.size(); ++c) {
    sum += values[c];
    present += class_sizes[c] > 0 ? 1 : 0;
  }
  for (std::size_t c = 0; c < values.size(); ++c) {
    // If all sigmoids underflow, all classes are equally likely.
    if (sum > 0)
      values[c] /= sum;
    else if (class_sizes[c] > 0)
      values[c] = 1 / static_cast<double>(present);
  }
}

}  // namespace

double probability(const Sigmoid& sigmoid, double score) {
  const double z = sigmoid.slope * score + sigmoid.offset;
  return z >= 0 ? std::exp(-z) / (1 + std::exp(-z)) : 1 / (1 + std::exp(z));
}

Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const std::int8_t> signs) {
  if (scores.empty()) throw Error("there are no scores to fit a sigmoid to");
  if (scores.size() != signs.size()) {
    throw Error(fmt::format("there are {} scores but {} signs", scores.size(), signs.size()));
  }
  double scale = 0;
  for (const double s : scores) {
    if (!std::isfinite(s)) throw Error("a score is infinite or NaN: a sigmoid needs finite scores");
    scale = std::max(scale, std::abs(s));
  }
  if (scale == 0) scale = 1;
  // Scale to [-1, 1]: unnormalised kernels give scores of any size.
  std::vector<double> scaled(scores.begin(), scores.end());
  for (double& s : scaled) s /= scale;
  const double tolerance = 1e-10 * static_cast<double>(scores.size());
  const Sigmoid fitted = minimum(Likelihood(std::move(scaled), signs), tolerance);
  return {fitted.slope / scale, fitted.offset};
}

std::vector<double> class_probabilities(const BinaryClassifiers& classifiers,
                                        std::span<const Sigmoid> sigmoids,
                                        std::span<const double> decision_values, bool multi_label) {
  const std::size_t count = classifiers.problems.size();
  if (sigmoids.size() != count || decision_values.size() != count) {
    throw Error(
        fmt::format("there are {} sigmoids and {} decision values for {} binary classifiers",
                    sigmoids.size(), decision_values.size(), count));
  }
  std::vector<double> out(classifiers.class_sizes.size(), 0.0);
  if (count == 0 || classifiers.problems[0].negative != none) {
    return coupled(classifiers, sigmoids, decision_values, std::move(out));
  }
  for (std::size_t m = 0; m < count; ++m) {
    out[classifiers.problems[m].positive] = probability(sigmoids[m], decision_values[m]);
  }
  if (!multi_label) normalise(out, classifiers.class_sizes);
  return out;
}

}  // namespace espalier
