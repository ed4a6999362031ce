#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "espalier/learn/decision.hpp"
#include "espalier/learn/linear.hpp"
#include "learn/feature_problems.hpp"

namespace espalier {
namespace {

using test::exact;
using test::expect_near;
using test::LinearProblem;
using test::losses;
using Classes = std::vector<std::uint32_t>;

TEST(LinearClassifier, IsBitIdenticalForAnyThreads) {
  const LinearProblem data(4, 150, 6, 7);
  const auto train = [&](std::size_t threads) {
    return train_linear_classifier(FeatureRows(data.sparse), data.labels, {}, {},
                                   {.threads = threads});
  };
  const auto one = train(1);
  for (const std::size_t threads : {2U, 3U, 5U}) {
    const auto many = train(threads);
    for (std::size_t m = 0; m < 7; ++m) {
      EXPECT_TRUE(std::ranges::equal(one.weights.row(m), many.weights.row(m)));
      EXPECT_EQ(one.classifiers.functions[m].support_vectors,
                many.classifiers.functions[m].support_vectors);
      EXPECT_EQ(one.classifiers.functions[m].bias, many.classifiers.functions[m].bias);
    }
  }
}

TEST(LinearClassifier, TrainsEachBinaryProblem) {
  const LinearProblem data(4, 90, 3, 3);
  for (const MultiClass multi_class : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
    auto options = exact();
    options.multi_class = multi_class;
    const auto model = train_linear_classifier(FeatureRows(data.dense), data.labels, options);
    ASSERT_EQ(model.classifiers.problems.size(), 3U);
    for (std::size_t m = 0; m < 3; ++m) {
      const auto [positive, negative] = model.classifiers.problems[m];
      Classes examples;
      ClassLists sides(2);
      for (std::uint32_t i = 0; i < data.labels.size(); ++i) {
        const bool first = data.labels.has(i, positive);
        if (!first && negative != none && !data.labels.has(i, negative)) continue;
        examples.push_back(i);
        sides.add(first ? 0U : 1U);
      }
      const auto alone =
          train_linear_classifier(FeatureRows(data.dense).select(examples), sides, exact());
      expect_near(model.weights.row(m), alone.weights.row(0), 1e-6);
      EXPECT_EQ(model.classifiers.class_sizes, data.labels.class_sizes());
    }
  }
}

TEST(LinearClassifier, ClassWeightsAreLikeDuplicates) {
  const LinearProblem data(9, 60, 3);
  Classes examples;
  ClassLists labels(2);
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::uint32_t c = data.labels[i][0];
    for (std::uint32_t copy = 0; copy < (c == 0 ? 3U : 1U); ++copy) {
      examples.push_back(i);
      labels.add(c);
    }
  }
  for (const LinearLoss loss : losses) {
    auto options = exact();
    const LinearLearnerOptions linear = {.loss = loss};
    const FeatureRows rows(data.dense);
    const auto copied = train_linear_classifier(rows.select(examples), labels, options, linear);
    options.weights = ClassWeights::given;
    options.class_weights = {3, 1};
    const auto weighted = train_linear_classifier(rows, data.labels, options, linear);
    expect_near(weighted.weights.row(0), copied.weights.row(0), 1e-5);
  }
}

TEST(LinearClassifier, BalancedWeightsFavourTheSmallerClass) {
  const LinearProblem data(10, 70, 3);
  const auto sizes = data.labels.class_sizes();
  auto options = exact();
  options.weights = ClassWeights::balanced;
  const auto balanced = train_linear_classifier(FeatureRows(data.dense), data.labels, options);
  const auto a = static_cast<double>(sizes[0]), b = static_cast<double>(sizes[1]);
  options.weights = ClassWeights::given;
  options.class_weights = {std::max(1.0, b / a), std::max(1.0, a / b)};
  const auto given = train_linear_classifier(FeatureRows(data.dense), data.labels, options);
  expect_near(balanced.weights.row(0), given.weights.row(0), 1e-6);
}

TEST(LinearClassifier, SupportsMultiLabelData) {
  const auto rows = test::dense_of({{1, 0}, {0, 1}, {1, 1}, {0, 0}});
  ClassLists labels(3);
  for (const auto& classes : {Classes{0}, Classes{1}, Classes{0, 1}, Classes{}}) {
    labels.add(classes);
  }
  const auto model = train_linear_classifier(FeatureRows(rows), labels, {.cost = 100});
  ASSERT_EQ(model.classifiers.problems, (std::vector<BinaryProblem>{{0}, {1}}));
  const auto scores = decision_values(model, FeatureRows(rows));
  for (std::size_t i = 0; i < 4; ++i) {
    const auto of_classes = class_scores(model.classifiers, scores.row(i));
    const auto expected = labels[i];
    EXPECT_EQ(classes_above(of_classes), Classes(expected.begin(), expected.end()));
    EXPECT_EQ(of_classes[2], -std::numeric_limits<double>::infinity());
  }
}

TEST(LinearClassifier, AlwaysPredictsTheOnlyClass) {
  const LinearProblem data(1, 5, 2);
  ClassLists labels(2);
  for (int i = 0; i < 5; ++i) labels.add(1);
  const auto model = train_linear_classifier(FeatureRows(data.dense), labels);
  const auto scores = decision_values(model, FeatureRows(data.dense));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(scores(i, 0), 1);
}

TEST(LinearClassifier, CalibratesTheScores) {
  const LinearProblem data(13, 200, 3, 3);
  const FeatureRows rows(data.dense);
  const auto model = train_linear_classifier(rows, data.labels);
  const auto sigmoids = calibrate_linear(rows, data.labels, {});
  const auto scores = decision_values(model, rows);
  ASSERT_EQ(sigmoids.size(), 3U);
  double likelihood = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto p = class_probabilities(model.classifiers, sigmoids, scores.row(i));
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    likelihood += std::log(p[data.labels[i][0]]);
  }
  EXPECT_GT(likelihood / 200, std::log(1.0 / 3)) << "better than to know nothing";
}

TEST(LinearClassifier, CalibratesWithOneExample) {
  const auto rows = test::dense_of({{1, 2}});
  ClassLists labels(1);
  labels.add(0);
  EXPECT_EQ(calibrate_linear(FeatureRows(rows), labels, {}).size(), 1U);
}

}  // namespace
}  // namespace espalier
