#include "espalier/learn/classifier.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "espalier/learn/decision.hpp"
#include "learn/problems.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::Numbers;
using Classes = std::vector<std::uint32_t>;

ClassLists lists(std::size_t class_count, const std::vector<Classes>& classes) {
  ClassLists out(class_count);
  for (const auto& list : classes) out.add(list);
  return out;
}

/// Clouds of one class each around the corners of a polygon; class 0 is the largest.
struct Clouds {
  Clouds(std::uint32_t class_count, std::size_t size, double spread = 0.6) : labels(class_count) {
    Numbers numbers(11);
    points = test::random_points(numbers, size, 2);
    for (auto& point : points) {
      const std::uint32_t c = std::min(numbers.below(class_count), numbers.below(class_count));
      const double angle = 6.283185307179586 * c / class_count;
      point[0] = spread * point[0] + std::cos(angle);
      point[1] = spread * point[1] + std::sin(angle);
      labels.add(c);
    }
    gram = test::rbf_gram(points, 1);
  }
  double accuracy(const BinaryClassifiers& classifiers) const {
    double right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto scores = class_scores(classifiers, decision_values(classifiers, gram.row(i)));
      right += best_class(scores) == labels[i][0] ? 1 : 0;
    }
    return right / static_cast<double>(labels.size());
  }
  test::Points points;
  ClassLists labels;
  Matrix<float> gram;
};

/// The classifier of one class against another, trained on its own.
DecisionFunction alone(const Clouds& data, std::uint32_t positive, std::uint32_t negative,
                       double cost_above, double cost_below) {
  Classes examples;
  std::vector<std::int8_t> signs;
  std::vector<double> costs;
  for (std::uint32_t i = 0; i < data.labels.size(); ++i) {
    const std::uint32_t c = data.labels[i][0];
    if (c != positive && negative != none && c != negative) continue;
    examples.push_back(i);
    signs.push_back(c == positive ? 1 : -1);
    costs.push_back(c == positive ? cost_above : cost_below);
  }
  return train_svc(GramView(data.gram, examples), signs, costs);
}

void expect_same(const DecisionFunction& function, const DecisionFunction& expected) {
  EXPECT_EQ(function.support_vectors, expected.support_vectors);
  EXPECT_EQ(function.bias, expected.bias);
  EXPECT_EQ(function.iterations, expected.iterations);
}

TEST(Classifier, OneVsRestTrainsEachClass) {
  const Clouds data(4, 120);
  const auto classifiers = train_classifier(GramView(data.gram), data.labels, {.cost = 2});
  ASSERT_EQ(classifiers.problems, (std::vector<BinaryProblem>{{0}, {1}, {2}, {3}}));
  for (std::uint32_t c = 0; c < 4; ++c) {
    expect_same(classifiers.functions[c], alone(data, c, none, 2, 2));
  }
  EXPECT_GT(data.accuracy(classifiers), 0.9);
}

TEST(Classifier, OneVsOneTrainsEachPair) {
  const Clouds data(3, 90);
  const auto classifiers = train_classifier(GramView(data.gram), data.labels,
                                            {.multi_class = MultiClass::one_vs_one, .cost = 2});
  ASSERT_EQ(classifiers.problems, (std::vector<BinaryProblem>{{0, 1}, {0, 2}, {1, 2}}));
  for (std::size_t m = 0; m < 3; ++m) {
    const auto [a, b] = classifiers.problems[m];
    expect_same(classifiers.functions[m], alone(data, a, b, 2, 2));
  }
  EXPECT_GT(data.accuracy(classifiers), 0.9);
}

TEST(Classifier, BalancedWeightsFavourTheSmallerClass) {
  const Clouds data(3, 90);
  const auto n = data.labels.class_sizes();
  ASSERT_GT(n[0], n[2]);
  const auto size = [&](std::uint32_t c) { return static_cast<double>(n[c]); };
  ClassifierOptions options = {.cost = 2, .weights = ClassWeights::balanced};
  const auto rest = train_classifier(GramView(data.gram), data.labels, options);
  for (std::uint32_t c = 0; c < 3; ++c) {
    expect_same(rest.functions[c], alone(data, c, none, 2 * ((90 - size(c)) / size(c)), 2));
  }
  options.multi_class = MultiClass::one_vs_one;
  const auto pairs = train_classifier(GramView(data.gram), data.labels, options);
  const double ratio = size(2) / size(0);
  expect_same(pairs.functions[1], alone(data, 0, 2, 2, 2 / ratio));
}

TEST(Classifier, AppliesGivenClassWeights) {
  const Clouds data(3, 90);
  ClassifierOptions options = {
      .cost = 2, .weights = ClassWeights::given, .class_weights = {1, 3, 0.5}};
  const auto rest = train_classifier(GramView(data.gram), data.labels, options);
  expect_same(rest.functions[1], alone(data, 1, none, 6, 2));
  options.multi_class = MultiClass::one_vs_one;
  const auto pairs = train_classifier(GramView(data.gram), data.labels, options);
  expect_same(pairs.functions[2], alone(data, 1, 2, 6, 1));
}

TEST(Classifier, TwoClassesTrainOneClassifier) {
  const Clouds data(2, 60);
  const auto classifiers = train_classifier(GramView(data.gram), data.labels);
  ASSERT_EQ(classifiers.problems, (std::vector<BinaryProblem>{{0, 1}}));
  expect_same(classifiers.functions[0], alone(data, 0, 1, 1, 1));
  EXPECT_EQ(class_scores(classifiers, std::vector<double>{0.5}), (std::vector<double>{0.5, -0.5}));
  EXPECT_GT(data.accuracy(classifiers), 0.9);
}

TEST(Classifier, SupportsMultiLabelData) {
  // Class 0 is right of the axis, class 1 above it, with a gap.
  Numbers numbers(5);
  auto points = test::random_points(numbers, 100, 2);
  ClassLists labels(2);
  for (auto& p : points) {
    Classes classes;
    for (double& x : p) x += x > 0 ? 0.125 : -0.125;
    if (p[0] > 0) classes.push_back(0);
    if (p[1] > 0) classes.push_back(1);
    labels.add(classes);
  }
  const auto gram = test::linear_gram(points);
  const auto classifiers = train_classifier(GramView(gram), labels, {.cost = 1000});
  ASSERT_EQ(classifiers.problems, (std::vector<BinaryProblem>{{0}, {1}}));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto classes =
        classes_above(class_scores(classifiers, decision_values(classifiers, gram.row(i))));
    EXPECT_EQ(classes, Classes(labels[i].begin(), labels[i].end()));
  }
}

TEST(Classifier, IsBitIdenticalForAnyThreads) {
  const Clouds data(5, 150);
  for (const auto multi_class : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
    const ClassifierOptions options = {.multi_class = multi_class};
    const auto expected =
        train_classifier(GramView(data.gram), data.labels, options, {.threads = 1});
    for (const std::size_t threads : {2U, 4U}) {
      const auto classifiers =
          train_classifier(GramView(data.gram), data.labels, options, {.threads = threads});
      ASSERT_EQ(classifiers.problems, expected.problems);
      for (std::size_t m = 0; m < classifiers.functions.size(); ++m) {
        expect_same(classifiers.functions[m], expected.functions[m]);
      }
    }
  }
}

TEST(Classifier, TrainsOnPartOfAMatrix) {
  const Clouds data(3, 90);
  Classes part;
  for (std::uint32_t i = 0; i < 90; i += 2) part.push_back(i);
  const auto copied = test::submatrix(data.gram, part);
  const auto labels = data.labels.select(part);
  const auto expected = train_classifier(GramView(copied), labels);
  const auto classifiers = train_classifier(GramView(data.gram, part), labels);
  for (std::size_t m = 0; m < 3; ++m) {
    ASSERT_EQ(classifiers.functions[m].support_vectors.size(),
              expected.functions[m].support_vectors.size());
    for (std::size_t s = 0; s < classifiers.functions[m].support_vectors.size(); ++s) {
      const auto [example, coefficient] = expected.functions[m].support_vectors[s];
      EXPECT_EQ(classifiers.functions[m].support_vectors[s],
                (SupportVector{part[example], coefficient}));
    }
  }
  EXPECT_GT(data.accuracy(classifiers), 0.8) << "the held-out half is scored from the same matrix";
}

TEST(Classifier, AlwaysPredictsTheOnlyClass) {
  const auto gram = test::linear_gram({{0}, {1}, {2}});
  for (const auto multi_class : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
    const auto classifiers =
        train_classifier(GramView(gram), lists(3, {{1}, {1}, {1}}), {.multi_class = multi_class});
    const auto scores = class_scores(classifiers, decision_values(classifiers, gram.row(0)));
    EXPECT_EQ(best_class(scores), 1);
    EXPECT_EQ(scores[0], -std::numeric_limits<double>::infinity());
  }
}

TEST(Classifier, NeverPredictsAClassWithoutExamples) {
  const auto gram = test::linear_gram({{-2, 0}, {0, 0}, {2, 0}, {0, 3}});
  for (const auto multi_class : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
    const auto classifiers = train_classifier(GramView(gram), lists(5, {{1}, {3}, {4}, {3}}),
                                              {.multi_class = multi_class, .cost = 100});
    EXPECT_EQ(classifiers.functions.size(), 3);
    const auto scores = class_scores(classifiers, std::vector<double>(3, -2.0));
    EXPECT_EQ(scores[0], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(scores[2], -std::numeric_limits<double>::infinity());
    EXPECT_GT(scores[1], -3);
  }
}

TEST(Classifier, HandlesTwoExamplesAndDuplicates) {
  const auto two = test::linear_gram({{-1}, {1}});
  const auto classifiers = train_classifier(GramView(two), lists(2, {{1}, {0}}));
  EXPECT_GT(class_scores(classifiers, decision_values(classifiers, two.row(1)))[0], 0.5);
  const auto twins = test::linear_gram({{1}, {1}});
  const auto unsure = train_classifier(GramView(twins), lists(2, {{0}, {1}}));
  EXPECT_EQ(class_scores(unsure, decision_values(unsure, twins.row(0))),
            (std::vector<double>{0, 0}));
}

TEST(Classifier, ReportsProgressAndCanBeCancelled) {
  const Clouds data(4, 60);
  std::vector<double> shares;
  const Context watched = {.threads = 2, .progress = [&](double s) { shares.push_back(s); }};
  train_classifier(GramView(data.gram), data.labels, {}, watched);
  ASSERT_EQ(shares.size(), 4);
  EXPECT_DOUBLE_EQ(shares.back(), 1);
  std::atomic<int> asked = 0;
  const Context cancelled = {.threads = 2, .cancelled = [&] { return ++asked > 2; }};
  EXPECT_THROW(train_classifier(GramView(data.gram), data.labels, {}, cancelled), Cancelled);
}

TEST(Classifier, RejectsBadInput) {
  auto gram = test::linear_gram({{0}, {1}});
  const GramView view(gram);
  const auto labels = lists(2, {{0}, {1}});
  const auto train = [&](const ClassLists& given, const ClassifierOptions& options) {
    return [&view, given, options] { train_classifier(view, given, options); };
  };
  EXPECT_TRUE(fails_with("classes for 1 examples", train(lists(2, {{0}}), {})));
  EXPECT_TRUE(fails_with("no example has a class", train(lists(2, {{}, {}}), {})));
  EXPECT_TRUE(fails_with("C = 0", train(labels, {.cost = 0})));
  EXPECT_TRUE(fails_with("1 class weights for 2",
                         train(labels, {.weights = ClassWeights::given, .class_weights = {1}})));
  EXPECT_TRUE(fails_with("class weight = -1", train(labels, {.weights = ClassWeights::given,
                                                             .class_weights = {1, -1}})));
  EXPECT_TRUE(fails_with("example 2 has several classes",
                         train(lists(2, {{0}, {0, 1}}), {.multi_class = MultiClass::one_vs_one})));
  EXPECT_TRUE(fails_with("no examples",
                         [&] { train_classifier(GramView(gram, Classes{}), ClassLists(2)); }));
  gram(0, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(fails_with("examples 1 and 2", train(labels, {})));
}

}  // namespace
}  // namespace espalier
