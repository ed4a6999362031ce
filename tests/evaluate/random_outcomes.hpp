#pragma once

#include "espalier/base/random.hpp"
#include "espalier/evaluate/outcomes.hpp"

namespace espalier::test {

struct RandomClasses {
  std::size_t examples = 30;
  std::uint32_t classes = 3;  ///< c0, c1, ..; c1 is the positive one
  std::uint32_t groups = 0;
  std::uint64_t seed = 1;
};

/// Predictions that are better than chance, with ties between scores.
inline Outcomes random_classes(const RandomClasses& how) {
  Random random(how.seed);
  Outcomes out;
  for (std::uint32_t c = 0; c < how.classes; ++c) out.classes.push_back("c" + std::to_string(c));
  out.truth = out.predicted = ClassLists(how.classes);
  out.positive = 1;
  for (std::size_t i = 0; i < how.examples; ++i) {
    const auto truth = static_cast<std::uint32_t>(random.below(how.classes));
    std::vector<double> scores;
    std::uint32_t best = 0;
    for (std::uint32_t c = 0; c < how.classes; ++c) {
      scores.push_back(static_cast<double>(random.below(10)) + (c == truth ? 3 : 0));
      if (scores[c] > scores[best]) best = c;
    }
    out.truth.add(truth);
    out.predicted.add(best);
    out.scores.push_back(scores);
    if (how.groups > 0) out.groups.push_back(static_cast<std::uint32_t>(random.below(how.groups)));
  }
  return out;
}

inline Outcomes random_numbers(std::size_t examples, std::uint64_t seed) {
  Random random(seed);
  Outcomes out;
  for (std::size_t i = 0; i < examples; ++i) {
    out.true_numbers.push_back(static_cast<double>(random.below(12)) / 4);
    out.numbers.push_back(out.true_numbers.back() + static_cast<double>(random.below(8)) / 4);
  }
  return out;
}

}  // namespace espalier::test
