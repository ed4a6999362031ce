#include "espalier/learn/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier {

namespace {

template <class Number>
std::vector<double> scores_of(const BinaryClassifiers& classifiers,
                              std::span<const Number> kernels) {
  std::vector<double> out;
  out.reserve(classifiers.functions.size());
  for (const DecisionFunction& function : classifiers.functions)
    out.push_back(decision_value(function, kernels));
  return out;
}

/// Votes of pairs; ties between classes go to the first, as in LIBSVM.
void add_votes(const BinaryClassifiers& classifiers, std::span<const double> scores,
               std::vector<double>& out) {
  std::vector<double> margins(out.size(), 0.0);
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (classifiers.class_sizes[c] > 0) out[c] = 0;
  }
  for (std::size_t m = 0; m < scores.size(); ++m) {
    const auto [positive, negative] = classifiers.problems[m];
    margins[positive] += scores[m];
    margins[negative] -= scores[m];
    // A tie goes to the lower class number, as everywhere.
    out[scores[m] >= 0 ? positive : negative] += 1;
  }
  if (scores.empty()) return;
  const auto winner = best_class(out);
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] += margins[c] / (3 * (1 + std::abs(margins[c])));
  out[winner] += 1;
}

}  // namespace

std::vector<double> decision_values(const BinaryClassifiers& classifiers,
                                    std::span<const float> kernels) {
  return scores_of(classifiers, kernels);
}

std::vector<double> decision_values(const BinaryClassifiers& classifiers,
                                    std::span<const double> kernels) {
  return scores_of(classifiers, kernels);
}

std::vector<double> class_scores(const BinaryClassifiers& classifiers,
                                 std::span<const double> decision_values) {
  if (decision_values.size() != classifiers.problems.size()) {
    throw Error(fmt::format("there are {} decision values for {} binary classifiers",
                            decision_values.size(), classifiers.problems.size()));
  }
  std::vector<double> out(classifiers.class_sizes.size(), -std::numeric_limits<double>::infinity());
  if (classifiers.problems.size() == 1 && classifiers.problems[0].negative != none) {
    out[classifiers.problems[0].positive] = decision_values[0];
    out[classifiers.problems[0].negative] = -decision_values[0];
  } else if (classifiers.problems.empty() || classifiers.problems[0].negative != none) {
    add_votes(classifiers, decision_values, out);
  } else {
    for (std::size_t m = 0; m < decision_values.size(); ++m) {
      out[classifiers.problems[m].positive] = decision_values[m];
    }
  }
  return out;
}

std::uint32_t best_class(std::span<const double> class_scores) {
  if (class_scores.empty()) throw Error("there are no classes to choose from");
  return static_cast<std::uint32_t>(std::ranges::max_element(class_scores) - class_scores.begin());
}

std::vector<std::uint32_t> classes_above(std::span<const double> class_scores, double threshold) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = 0; c < class_scores.size(); ++c) {
    if (class_scores[c] > threshold) out.push_back(c);
  }
  return out;
}

}  // namespace espalier
