#include "espalier/evaluate/outcomes.hpp"

#include <algorithm>
#include <limits>

#include "espalier/base/error.hpp"

namespace espalier {

bool Outcomes::correct(std::size_t example) const {
  const auto found = predicted[example];
  return truth[example].size() == found.size() &&
         std::ranges::all_of(found, [&](std::uint32_t c) { return truth.has(example, c); });
}

double Outcomes::ranking_score(std::size_t example) const {
  if (regression()) return numbers[example];
  // A class that the model does not know is never predicted.
  return positive < scores[example].size() ? scores[example][positive]
                                           : -std::numeric_limits<double>::infinity();
}

bool Outcomes::relevant(std::size_t example) const {
  return regression() ? true_numbers[example] > 0 : truth.has(example, positive);
}

void Outcomes::append(const Outcomes& other) {
  for (std::size_t i = 0; i < other.truth.size(); ++i) {
    truth.add(other.truth[i]);
    predicted.add(other.predicted[i]);
  }
  scores.insert(scores.end(), other.scores.begin(), other.scores.end());
  true_numbers.insert(true_numbers.end(), other.true_numbers.begin(), other.true_numbers.end());
  numbers.insert(numbers.end(), other.numbers.begin(), other.numbers.end());
  const std::uint32_t next = groups.empty() ? 0 : 1 + std::ranges::max(groups);
  for (const std::uint32_t group : other.groups) groups.push_back(next + group);
}

std::uint32_t usual_positive_class(std::span<const std::string> classes) {
  std::uint32_t found = none;
  for (const std::string usual : {"1", "+1", "true", "yes", "relevant"}) {
    const auto place = std::ranges::find(classes, usual);
    if (place == classes.end()) continue;
    if (found != none) return none;
    found = static_cast<std::uint32_t>(place - classes.begin());
  }
  return found;
}

std::uint32_t class_named(const std::string& name, std::span<const std::string> classes) {
  const auto found = std::ranges::find(classes, name);
  if (found != classes.end()) return static_cast<std::uint32_t>(found - classes.begin());
  const std::string near = nearest(name, classes);
  throw Error("there is no class " + in_quotes(name) +
              (near.empty() ? "" : ": did you mean " + in_quotes(near) + "?"));
}

Evaluation evaluate(const Outcomes& outcomes) {
  Evaluation out;
  if (outcomes.regression()) {
    out.regression = evaluate_regression(outcomes.true_numbers, outcomes.numbers);
  } else {
    out.classification =
        evaluate_classification(outcomes.truth, outcomes.predicted, outcomes.classes);
  }
  const bool ranked = outcomes.regression() || outcomes.positive != none;
  if (outcomes.groups.empty() || !ranked) return out;
  std::vector<RankedItem> items;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    items.push_back({outcomes.groups[i], outcomes.relevant(i), outcomes.ranking_score(i)});
  }
  out.ranking = evaluate_ranking(items);
  return out;
}

}  // namespace espalier
