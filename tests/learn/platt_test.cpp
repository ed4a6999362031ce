#include "espalier/learn/platt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "espalier/learn/decision.hpp"
#include "learn/folds.hpp"
#include "learn/problems.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::Numbers;
using Values = std::vector<double>;
using Signs = std::vector<std::int8_t>;

/// Negative log-likelihood with Platt's targets, by definition.
double loss(const Sigmoid& sigmoid, const Values& scores, const Signs& signs) {
  const auto positives = static_cast<double>(std::ranges::count(signs, 1));
  const auto negatives = static_cast<double>(signs.size()) - positives;
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double target = signs[i] > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
    const double p = 1 / (1 + std::exp(sigmoid.slope * scores[i] + sigmoid.offset));
    sum -= target * std::log(p) + (1 - target) * std::log(1 - p);
  }
  return sum;
}

/// The best sigmoid by grid search with refinement.
Sigmoid searched(const Values& scores, const Signs& signs) {
  Sigmoid best = {0, 0};
  for (double width = 8; width > 1e-8; width *= 0.7) {
    const Sigmoid centre = best;
    for (int i = -4; i <= 4; ++i) {
      for (int j = -4; j <= 4; ++j) {
        const Sigmoid at = {centre.slope + width * i / 4, centre.offset + width * j / 4};
        if (loss(at, scores, signs) < loss(best, scores, signs)) best = at;
      }
    }
  }
  return best;
}

struct Scored {
  explicit Scored(std::uint64_t seed, double noise, double share = 0.5) {
    Numbers numbers(seed);
    for (int i = 0; i < 60; ++i) {
      signs.push_back(numbers.between(0, 1) < share ? 1 : -1);
      scores.push_back(signs.back() + noise * numbers.between(-1, 1));
    }
  }
  Values scores;
  Signs signs;
};

TEST(Platt, MaximisesTheLikelihood) {
  for (const double noise : {0.5, 1.5, 4.0}) {
    const Scored data(static_cast<std::uint64_t>(noise * 10), noise, 0.3);
    const Sigmoid fitted = fit_sigmoid(data.scores, data.signs);
    const Sigmoid expected = searched(data.scores, data.signs);
    EXPECT_NEAR(fitted.slope, expected.slope, 1e-5);
    EXPECT_NEAR(fitted.offset, expected.offset, 1e-5);
    EXPECT_LT(fitted.slope, 0) << "a higher score is more likely positive";
  }
}

TEST(Platt, IsInvariantToTheScaleOfScores) {
  const Scored data(1, 2);
  const Sigmoid expected = fit_sigmoid(data.scores, data.signs);
  for (const double unit : {1e-20, 1e-3, 1e8, 1e200}) {
    auto scaled = data.scores;
    for (double& s : scaled) s *= unit;
    const Sigmoid fitted = fit_sigmoid(scaled, data.signs);
    EXPECT_NEAR(fitted.slope * unit, expected.slope, 1e-6);
    EXPECT_NEAR(fitted.offset, expected.offset, 1e-6);
  }
}

TEST(Platt, NeverPredictsZeroOrOne) {
  const Sigmoid separated = fit_sigmoid(Values{-2, -1, 1, 2}, Signs{-1, -1, 1, 1});
  EXPECT_NEAR(probability(separated, 1), 0.75, 0.1);
  const Sigmoid one_side = fit_sigmoid(Values{1, 1, 1}, Signs{1, 1, 1});
  EXPECT_NEAR(probability(one_side, 1), 0.8, 1e-6) << "(3 + 1) / (3 + 2)";
  const Sigmoid same = fit_sigmoid(Values{0, 0, 0}, Signs{1, -1, -1});
  EXPECT_NEAR(probability(same, 0), (2.0 / 3 + 2 * 0.25) / 3, 1e-6) << "the mean target";
}

TEST(Platt, ExtremeScoresGiveProbabilities) {
  for (const double score : {-1e308, -1e3, 0.0, 1e3, 1e308}) {
    const double p = probability({-3, 0.5}, score);
    EXPECT_GE(p, 0);
    EXPECT_LE(p, 1);
  }
  EXPECT_NEAR(probability({-1, 0}, 2), 1 / (1 + std::exp(-2.0)), 1e-15);
  EXPECT_GT(probability({-1, 0}, -600), 0) << "small probabilities keep their digits";
}

TEST(Platt, RejectsBadInput) {
  EXPECT_TRUE(test::fails_with("no scores", [] { fit_sigmoid({}, {}); }));
  EXPECT_TRUE(test::fails_with("1 signs", [] { fit_sigmoid(Values{1, 2}, Signs{1}); }));
  EXPECT_TRUE(test::fails_with("infinite or NaN", [] { fit_sigmoid(Values{NAN}, Signs{1}); }));
}

TEST(Folds, AreStratified) {
  Signs signs(53, -1);
  for (std::size_t i = 0; i < 53; i += 4) signs[i] = 1;
  const auto folds = stratified_folds(signs, 5, 42);
  std::vector<int> above(5, 0), all(5, 0);
  for (std::size_t i = 0; i < signs.size(); ++i) {
    ++all[folds[i]];
    above[folds[i]] += signs[i] > 0 ? 1 : 0;
  }
  for (const auto* counts : {&above, &all}) {
    EXPECT_LE(*std::ranges::max_element(*counts) - *std::ranges::min_element(*counts), 1);
  }
  EXPECT_EQ(folds, stratified_folds(signs, 5, 42));
  EXPECT_NE(folds, stratified_folds(signs, 5, 43));
}

TEST(Folds, KeepGroupsTogether) {
  Numbers numbers(3);
  for (int round = 0; round < 50; ++round) {
    Signs signs;
    std::vector<std::uint32_t> groups;
    for (std::uint32_t i = 0; i < 120; ++i) {
      signs.push_back(numbers.sign());
      groups.push_back(numbers.below(60));
    }
    const auto folds = stratified_group_folds(signs, groups, 5, 42);
    std::map<std::uint32_t, std::uint32_t> fold_of;
    std::vector<int> sizes(5, 0);
    for (std::uint32_t i = 0; i < 120; ++i) {
      EXPECT_EQ(fold_of.try_emplace(groups[i], folds[i]).first->second, folds[i]);
      ++sizes[folds[i]];
    }
    EXPECT_LE(*std::ranges::max_element(sizes) - *std::ranges::min_element(sizes), 10);
    EXPECT_EQ(folds, stratified_group_folds(signs, groups, 5, 42));
    std::ranges::fill(groups, 7);
    EXPECT_EQ(stratified_group_folds(signs, groups, 5, 42), stratified_folds(signs, 5, 42));
    EXPECT_EQ(stratified_group_folds(signs, {}, 5, 42), stratified_folds(signs, 5, 42));
  }
}

TEST(Folds, AreTheSameOnEveryPlatform) {
  // Computed independently from the definition of SplitMix64.
  EXPECT_EQ(stratified_folds(Signs{1, -1, 1, -1, 1, 1}, 3, 0),
            (std::vector<std::uint32_t>{2, 2, 1, 1, 0, 0}));
}

Matrix<double> pairs_of(std::size_t classes, const auto& pair) {
  Matrix<double> out(classes, classes);
  for (std::size_t i = 0; i < classes; ++i) {
    out(i, i) = NAN;  // not to be read
    for (std::size_t j = i + 1; j < classes; ++j) {
      out(i, j) = pair(i, j);
      out(j, i) = 1 - out(i, j);
    }
  }
  return out;
}

TEST(CouplePairs, RecoversConsistentProbabilities) {
  const Values expected = {0.5, 0.05, 0.25, 0.2};
  const auto found = couple_pairs(
      pairs_of(4, [&](auto i, auto j) { return expected[i] / (expected[i] + expected[j]); }));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
}

TEST(CouplePairs, IsTheMinimumOnTheSimplex) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Numbers numbers(seed);
    const std::size_t classes = 2 + seed % 5;
    const auto pairs = pairs_of(classes, [&](auto, auto) { return numbers.between(0.01, 0.99); });
    const auto p = couple_pairs(pairs);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    const auto error = [&](const Values& at) {
      double sum = 0;
      for (std::size_t i = 0; i < classes; ++i) {
        for (std::size_t j = 0; j < classes; ++j) {
          if (i != j) sum += std::pow(pairs(j, i) * at[i] - pairs(i, j) * at[j], 2);
        }
      }
      return sum;
    };
    // Moving probability from any class to any other makes it worse.
    for (std::size_t i = 0; i < classes; ++i) {
      EXPECT_GT(p[i], 0);
      for (std::size_t j = 0; j < classes; ++j) {
        if (i == j) continue;
        auto moved = p;
        moved[i] += 1e-3 * p[j], moved[j] -= 1e-3 * p[j];
        EXPECT_GT(error(moved), error(p)) << i << " " << j;
      }
    }
  }
}

TEST(CouplePairs, HandlesProbabilitiesOfZeroAndOne) {
  const auto p = couple_pairs(pairs_of(3, [](auto, auto) { return 1; }));
  EXPECT_GT(p[0], 0.999);
  EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-9);
  EXPECT_GE(std::min(p[1], p[2]), 0);
}

/// Points on a line; the class is the third that they are in, with some noise.
struct Line {
  explicit Line(std::uint32_t class_count) : labels(class_count) {
    Numbers numbers(8);
    for (int i = 0; i < 90; ++i) {
      const double x = numbers.between(0, 3);
      points.push_back({x});
      const double noisy = std::clamp(x + numbers.between(-0.4, 0.4), 0.0, 2.9);
      labels.add(std::min(static_cast<std::uint32_t>(noisy), class_count - 1));
    }
    gram = test::rbf_gram(points, 1);
  }
  Values probabilities(const BinaryClassifiers& classifiers, const std::vector<Sigmoid>& sigmoids,
                       std::size_t i) const {
    return class_probabilities(classifiers, sigmoids, decision_values(classifiers, gram.row(i)));
  }
  test::Points points;
  ClassLists labels;
  Matrix<float> gram;
};

TEST(Calibrate, ProbabilitiesAreCalibrated) {
  for (const std::uint32_t class_count : {2U, 3U}) {
    for (const auto multi_class : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
      const Line data(class_count);
      const ClassifierOptions options = {.multi_class = multi_class};
      const auto classifiers = train_classifier(GramView(data.gram), data.labels, options);
      const auto sigmoids = calibrate(GramView(data.gram), data.labels, options);
      ASSERT_EQ(sigmoids.size(), classifiers.functions.size());
      double said = 0, right = 0;
      for (std::size_t i = 0; i < data.labels.size(); ++i) {
        const auto p = data.probabilities(classifiers, sigmoids, i);
        EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9);
        const std::uint32_t best = best_class(p);
        said += p[best];
        right += data.labels[i][0] == best ? 1 : 0;
      }
      EXPECT_NEAR(said / 90, right / 90, 0.1);
      EXPECT_GT(right / 90, 0.7);
    }
  }
}

TEST(Calibrate, UsesHeldOutScores) {
  const Line data(2);
  Signs signs;
  for (std::size_t i = 0; i < 90; ++i) signs.push_back(data.labels[i][0] == 0 ? 1 : -1);
  const auto fold_of = stratified_folds(signs, 3, 7);
  Values scores(90);
  for (std::uint32_t fold = 0; fold < 3; ++fold) {
    std::vector<std::uint32_t> kept;
    Signs kept_signs;
    for (std::uint32_t i = 0; i < 90; ++i) {
      if (fold_of[i] == fold) continue;
      kept.push_back(i);
      kept_signs.push_back(signs[i]);
    }
    const auto function =
        train_svc(GramView(data.gram, kept), kept_signs, Values(kept.size(), 1.0));
    for (std::size_t i = 0; i < 90; ++i) {
      if (fold_of[i] == fold) scores[i] = decision_value(function, data.gram.row(i));
    }
  }
  const std::vector<Sigmoid> expected = {fit_sigmoid(scores, signs)};
  EXPECT_EQ(calibrate(GramView(data.gram), data.labels, {}, {.folds = 3, .seed = 7}), expected);
}

TEST(Calibrate, DependsOnlyOnTheSeed) {
  const Line data(3);
  const auto sigmoids = [&](std::size_t threads, std::uint64_t seed) {
    return calibrate(GramView(data.gram), data.labels, {}, {.seed = seed}, {.threads = threads});
  };
  const auto expected = sigmoids(1, 0);
  EXPECT_EQ(sigmoids(2, 0), expected);
  EXPECT_EQ(sigmoids(4, 0), expected);
  EXPECT_NE(sigmoids(1, 1), expected);
}

TEST(Calibrate, MultiLabelProbabilitiesAreIndependent) {
  BinaryClassifiers classifiers;
  classifiers.class_sizes = {3, 0, 4};
  classifiers.problems = {{0}, {2}};
  const std::vector<Sigmoid> sigmoids = {{-1, 0}, {-1, 0}};
  const Values scores = {2, 1};
  const double a = probability({}, 2), b = probability({}, 1);
  EXPECT_EQ(class_probabilities(classifiers, sigmoids, scores, true), (Values{a, 0, b}));
  const auto sum_one = class_probabilities(classifiers, sigmoids, scores);
  EXPECT_DOUBLE_EQ(sum_one[0], a / (a + b));
  EXPECT_EQ(sum_one[1], 0);
  const auto unknown = class_probabilities(classifiers, sigmoids, Values{-1e4, -1e4});
  EXPECT_EQ(unknown, (Values{0.5, 0, 0.5}));
}

TEST(Calibrate, HandlesTinyProblems) {
  const auto gram = test::linear_gram({{-1}, {1}, {2}});
  const std::vector<std::vector<std::uint32_t>> cases = {{0, 1, 1}, {0, 0, 0}, {0, 1, 2}};
  for (const auto& classes : cases) {
    for (const auto multi_class : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
      ClassLists labels(4);
      for (const std::uint32_t c : classes) labels.add(c);
      const ClassifierOptions options = {.multi_class = multi_class};
      const auto classifiers = train_classifier(GramView(gram), labels, options);
      const auto sigmoids = calibrate(GramView(gram), labels, options);
      const auto p =
          class_probabilities(classifiers, sigmoids, decision_values(classifiers, gram.row(0)));
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9);
      EXPECT_EQ(p[3], 0);
    }
  }
  EXPECT_TRUE(test::fails_with("folds = 1", [&] {
    ClassLists labels(1);
    for (int i = 0; i < 3; ++i) labels.add(0);
    calibrate(GramView(gram), labels, {}, {.folds = 1});
  }));
}

}  // namespace
}  // namespace espalier
