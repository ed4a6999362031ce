#include "espalier/learn/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier {

namespace {

template <class Number>
std::vector<double> scores_of(const Machines& machines, std::span<const Number> kernels) {
  std::vector<double> out;
  out.reserve(machines.machines.size());
  for (const Machine& machine : machines.machines) out.push_back(score(machine, kernels));
  return out;
}

/// Votes of pairs; of the classes with the most the first has won, as in libsvm.
void add_votes(const Machines& machines, std::span<const double> scores, std::vector<double>& out) {
  std::vector<double> margins(out.size(), 0.0);
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (machines.class_sizes[c] > 0) out[c] = 0;
  }
  for (std::size_t m = 0; m < scores.size(); ++m) {
    const auto [positive, negative] = machines.separations[m];
    margins[positive] += scores[m];
    margins[negative] -= scores[m];
    // A tie goes to the lower number, as everywhere.
    out[scores[m] >= 0 ? positive : negative] += 1;
  }
  if (scores.empty()) return;
  const auto winner = best_class(out);
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] += margins[c] / (3 * (1 + std::abs(margins[c])));
  out[winner] += 1;
}

}  // namespace

std::vector<double> machine_scores(const Machines& machines, std::span<const float> kernels) {
  return scores_of(machines, kernels);
}

std::vector<double> machine_scores(const Machines& machines, std::span<const double> kernels) {
  return scores_of(machines, kernels);
}

std::vector<double> class_scores(const Machines& machines, std::span<const double> machine_scores) {
  if (machine_scores.size() != machines.separations.size()) {
    throw Error(fmt::format("there are {} scores for {} machines", machine_scores.size(),
                            machines.separations.size()));
  }
  std::vector<double> out(machines.class_sizes.size(), -std::numeric_limits<double>::infinity());
  if (machines.separations.size() == 1 && machines.separations[0].negative != none) {
    out[machines.separations[0].positive] = machine_scores[0];
    out[machines.separations[0].negative] = -machine_scores[0];
  } else if (machines.separations.empty() || machines.separations[0].negative != none) {
    add_votes(machines, machine_scores, out);
  } else {
    for (std::size_t m = 0; m < machine_scores.size(); ++m) {
      out[machines.separations[m].positive] = machine_scores[m];
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
