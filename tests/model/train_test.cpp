// Training on data of all sorts, and with all options.
#include "espalier/model/train.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "espalier/model/evaluation.hpp"
#include "espalier/model/validation.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::toy_classes;
using Classes = std::vector<std::uint32_t>;

// --- Unusual data --------------------------------------------------------------------------------

Dataset trees_with(std::initializer_list<std::pair<const char*, const char*>> all) {
  Dataset out;
  for (const auto& [label, tree] : all) out.add(test::ExampleOf().label(label).tree("t", tree));
  return out;
}

TEST(Training, RefusesToClassifyOneClass) {
  const Dataset data = trees_with({{"a", "(r(x))"}, {"a", "(r(y))"}, {"a", "(r(z))"}});
  TrainOptions options;
  for (const Learner learner : {Learner::svm, Learner::linear, Learner::kda}) {
    options.learner = learner;
    EXPECT_TRUE(
        fails_with("only one class: classification needs at least two; novelty detection is "
                   "--task one-class",
                   [&] { train(Kernel("norm(st())"), data, options); }));
    EXPECT_TRUE(fails_with("only one class",
                           [&] { cross_validate(Kernel("norm(st())"), data, options, {}); }));
  }
  options.learner = Learner::svm;
  options.task = Task::one_class;
  EXPECT_EQ(train(Kernel("norm(st())"), data, options).task(), Task::one_class);
}

TEST(Training, AnOnlineLearnerMayStartWithOneClass) {
  const Dataset data = trees_with({{"a", "(r(x))"}, {"a", "(r(y))"}});
  for (const Learner learner : {Learner::perceptron, Learner::passive_aggressive}) {
    TrainOptions options;
    options.learner = learner;
    Model model = train(Kernel("norm(st())"), data, options);
    continue_training(model, trees_with({{"b", "(q)"}}), options);
    EXPECT_EQ(model.classes(), (std::vector<std::string>{"a", "b"}));
  }
}

TEST(Training, ASplitMayLackAClass) {
  const Dataset data = trees_with({{"a", "(r(x))"}, {"a", "(r(y))"}, {"b", "(q)"}});
  for (const auto how : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
    TrainOptions options;
    options.classifier.multi_class = how;
    const ValidationResult result =
        cross_validate(Kernel("norm(sst())"), data, options, {.split = SplitKind::leave_one_out});
    EXPECT_EQ(evaluate(result.pooled).classification->confusion[1][0], 1U);  // b is never seen
  }
}

TEST(SvmTraining, TwoExamplesHaveTheBoundaryBetweenThem) {
  const Dataset data = trees_with({{"a", "(r(x(y)))"}, {"b", "(s(z(w)))"}});
  for (const bool probabilities : {false, true}) {
    TrainOptions options;
    options.classifier.cost = 100;
    options.probabilities = probabilities;
    const Predictions predictions = predict(train(Kernel("norm(sst())"), data, options), data);
    EXPECT_EQ(predictions.classes, (std::vector<Classes>{{0}, {1}}));
    EXPECT_NEAR(predictions.scores(0, 0), 1, 1e-3);
    EXPECT_NEAR(predictions.scores(1, 0), -1, 1e-3);
  }
}

TEST(SvmTraining, HandlesOneExample) {
  Dataset number;
  number.add(test::ExampleOf().label(test::number(7.5)).tree("t", "(r(x))"));
  EXPECT_NEAR(predict(train(Kernel("sst()"), number), number).scores(0, 0), 7.5, 0.1 + 1e-9);
}

TEST(SvmTraining, DuplicatesShareTheirWeight) {
  const Dataset once = trees_with({{"a", "(r(x(y)))"}, {"b", "(s(z(w)))"}});
  const Dataset twice =
      trees_with({{"a", "(r(x(y)))"}, {"b", "(s(z(w)))"}, {"a", "(r(x(y)))"}, {"b", "(s(z(w)))"}});
  TrainOptions options;
  options.classifier.cost = 100;
  options.classifier.solver.tolerance = 1e-7;
  const Kernel kernel("norm(sst())");
  const Matrix<double> expected = predict(train(kernel, once, options), once).scores;
  const Matrix<double> scores = predict(train(kernel, twice, options), once).scores;
  EXPECT_TRUE(test::agree(scores, expected, 1e-5));
}

TEST(SvmTraining, ContradictionsCancelOut) {
  // Each tree has both classes: nothing can be learned, and nothing may fail.
  const Dataset data =
      trees_with({{"a", "(r(x))"}, {"b", "(r(x))"}, {"b", "(s(y))"}, {"a", "(s(y))"}});
  for (const double cost : {1.0, 1e6}) {
    TrainOptions options;
    options.classifier.cost = cost;
    const Model model = train(Kernel("norm(sst())"), data, options);
    EXPECT_TRUE(model.training.converged);
    const Predictions predictions = predict(model, data);
    for (std::size_t i = 0; i < data.size(); ++i) EXPECT_NEAR(predictions.scores(i, 0), 0, 1e-3);
  }
}

TEST(SvmTraining, HandlesTreesWithNothingInCommon) {
  const Dataset data = trees_with({{"a", "(r)"}, {"b", "(s)"}, {"a", "(t)"}});
  // Leaves count for nothing in sst: the matrix is 0, and the larger class wins.
  const Predictions predictions = predict(train(Kernel("sst()"), data), data);
  EXPECT_EQ(predictions.classes, (std::vector<Classes>{{0}, {0}, {0}}));
}

TEST(SvmTraining, RejectsNaN) {
  // A data set does not take it, and a file that has it is not read.
  Dataset data = toy_classes({.count = 10, .seed = 8, .kinds = 2});
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    using test::ExampleOf;
    const ExampleOf examples[] = {ExampleOf().vector("v", test::sparse({{"x", bad}})),
                                  ExampleOf().vector("d", test::dense({0, bad, 0})),
                                  ExampleOf().label(test::number(bad)),
                                  ExampleOf().pair(ExampleOf().label(test::number(bad)), {})};
    for (const Example& example : examples) {
      EXPECT_TRUE(fails_with("not a finite number", [&] { data.add(example); }));
    }
  }
  EXPECT_EQ(data.size(), 10U);
  EXPECT_NO_THROW(train(Kernel("rbf(d) + cosine(v)"), data));
  EXPECT_TRUE(
      fails_with("not a finite number", [] { test::parsed("klp", "a |BV:v| x:nan |EV|\n"); }));
}

TEST(SvmTraining, OverflowIsAnError) {
  Dataset data = toy_classes({.count = 10, .seed = 8, .kinds = 2});
  const Model model = train(Kernel("linear(d)"), data);
  data.add(test::ExampleOf().label("k0").vector("d", test::dense({1e200, -1e200, 0})));
  for (const auto learner : {Learner::svm, Learner::passive_aggressive}) {
    EXPECT_TRUE(
        fails_with("example", [&] { train(Kernel("linear(d)"), data, {.learner = learner}); }));
  }
  Dataset large;
  large.add(test::ExampleOf().vector("d", test::dense({1.7e308, 1.7e308, 1.7e308})));
  Model steep = model;
  for (int i = 0; i < 3; ++i) {
    Matrix<double> more(1, 1);
    more(0, 0) = 1e10;
    steep.functions.add(test::part_of(data, 0, 1), more);
  }
  EXPECT_TRUE(fails_with("score of example 1", [&] { predict(steep, large); }));
}

TEST(SvmTraining, AcceptsExamplesWithMissingTrees) {
  Dataset data = toy_classes({.count = 20, .seed = 9, .kinds = 2}, 1000);
  data.add(test::ExampleOf().label("k0").tree("t", "(r)"));
  data.add(test::ExampleOf().label("k1").vector("v", test::sparse({{"x", 1}})));
  data.add(test::ExampleOf().label("k1"));
  const Model model = train(Kernel(test::usual), data);
  // Nothing at all in common with the training data: the bias decides.
  Dataset unknown;
  unknown.add(test::ExampleOf().tree("t", "(q(w))").vector("v", test::sparse({{"q", 3}})));
  unknown.add(test::ExampleOf());
  const Matrix<double> scores = predict(model, unknown).scores;
  EXPECT_DOUBLE_EQ(scores(0, 0), decision_functions(model.decision)[0].bias);
  EXPECT_DOUBLE_EQ(scores(1, 0), decision_functions(model.decision)[0].bias);
  // That no example has it is an error, most likely of spelling.
  EXPECT_TRUE(fails_with("no trees", [&] {
    Dataset vectors;
    vectors.add(test::ExampleOf().vector("v", test::sparse({{"x", 1}})));
    predict(model, vectors);
  }));
  EXPECT_TRUE(fails_with("no vector", [&] { predict(model, test::dataset_of({"(r)"})); }));
  EXPECT_TRUE(fails_with("differ in kind", [&] {
    Dataset other;
    other.add(test::ExampleOf().tree("t", "(r)").vector("v", test::dense({1, 2})));
    predict(model, other);
  }));
}

TEST(SvmTraining, AcceptsUnknownClassesInTestData) {
  const Dataset data = trees_with({{"a", "(r(x))"}, {"b", "(s(y))"}});
  const Model model = train(Kernel("sst()"), data);
  const Dataset truth = trees_with({{"c", "(r(x))"}, {"b", "(s(y))"}, {"a", "(r(x))"}});
  const auto scores = *evaluate(model, predict(model, truth), truth).classification;
  EXPECT_DOUBLE_EQ(scores.accuracy, 2.0 / 3);
  ASSERT_EQ(scores.classes.size(), 3U);
  EXPECT_EQ(scores.classes[2].name, "c");
  EXPECT_EQ(scores.classes[2].false_negatives, 1U);
}

// --- Options -------------------------------------------------------------------------------------

TEST(SvmTraining, AppliesClassWeightsByName) {
  const Dataset data = toy_classes({.count = 60, .seed = 10}, 2);
  TrainOptions by_name, by_number;
  by_name.class_weight.weights = {{"k2", 5}, {"k0", 0.5}};
  const Targets targets = make_targets(data);
  by_number.classifier.weights = ClassWeights::given;
  for (const std::string& name : targets.names) {
    by_number.classifier.class_weights.push_back(name == "k2" ? 5 : name == "k0" ? 0.5 : 1);
  }
  const Kernel kernel(test::usual);
  const Matrix<double> expected = predict(train(kernel, data, by_number), data).scores;
  EXPECT_TRUE(test::identical(predict(train(kernel, data, by_name), data).scores, expected));
  EXPECT_FALSE(test::identical(predict(train(kernel, data), data).scores, expected));
  by_name.class_weight.weights = {{"k22", 2}};
  EXPECT_TRUE(fails_with("no class 'k22' to weigh: did you mean 'k2'?",
                         [&] { train(kernel, data, by_name); }));
  by_name.class_weight.weights = {{"k2", -1}};
  EXPECT_TRUE(fails_with("class_weight: the weight -1 of 'k2' is outside (0, inf)",
                         [&] { train(kernel, data, by_name); }));
}

TEST(SvmTraining, ProbabilitiesSumToOneAndFollowTheScores) {
  const Dataset data = toy_classes({.count = 90, .seed = 11}, 6);
  for (const auto how : {MultiClass::one_vs_rest, MultiClass::one_vs_one}) {
    TrainOptions options;
    options.probabilities = true;
    options.classifier.multi_class = how;
    const Model model = train(Kernel(test::usual), data, options);
    const Predictions all = predict(model, data);
    std::size_t agreeing = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto p = all.probabilities.row(i);
      double sum = 0;
      for (const double x : p) {
        EXPECT_TRUE(x >= 0 && x <= 1) << x;
        sum += x;
      }
      EXPECT_NEAR(sum, 1, 1e-9);
      const auto likeliest = static_cast<std::uint32_t>(std::ranges::max_element(p) - p.begin());
      agreeing += likeliest == all.classes[i][0] ? 1 : 0;
    }
    EXPECT_GT(agreeing, 80U);
  }
  EXPECT_EQ(predict(train(Kernel(test::usual), data), data).probabilities.rows(), 0U);
}

TEST(SvmTraining, ProbabilitiesIncreaseWithTheScore) {
  const Dataset data = toy_classes({.count = 60, .seed = 12, .kinds = 2}, 6);
  TrainOptions options;
  options.probabilities = true;
  const Predictions all = predict(train(Kernel(test::usual), data, options), data);
  for (std::size_t i = 1; i < data.size(); ++i) {
    const double step = all.scores(i, 0) - all.scores(i - 1, 0);
    const double rise = all.probabilities(i, 0) - all.probabilities(i - 1, 0);
    EXPECT_GE(step * rise, 0);
    EXPECT_NEAR(all.probabilities(i, 0) + all.probabilities(i, 1), 1, 1e-12);
  }
}

TEST(SvmTraining, SupportsMultiLabelData) {
  const Dataset data = test::toy_several({.count = 80, .seed = 13});
  TrainOptions options;
  options.probabilities = true;
  options.classifier.cost = 10;
  const Model model = train(Kernel(test::usual), data, options);
  EXPECT_TRUE(model.multi_label());
  EXPECT_EQ(test::accuracy(model, data), 1);
  const Predictions all = predict(model, data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::uint32_t c = 0; c < 2; ++c) {
      const bool decided = std::ranges::find(all.classes[i], c) != all.classes[i].end();
      EXPECT_EQ(all.scores(i, c) > 0, decided);
      EXPECT_EQ(all.probabilities(i, c) > 0.5, decided);
    }
  }
  options.classifier.multi_class = MultiClass::one_vs_one;
  EXPECT_TRUE(fails_with("several classes", [&] { train(Kernel(test::usual), data, options); }));
}

TEST(SvmTraining, ReportsTraining) {
  const Dataset data = toy_classes({.count = 40, .seed = 14});
  const Model model = train(Kernel(test::usual), data);
  EXPECT_EQ(model.training.learner, "svm");
  EXPECT_EQ(model.training.examples, 40U);
  EXPECT_TRUE(model.training.support_vectors > 0 && model.training.support_vectors <= 40);
  EXPECT_GT(model.training.iterations, 0U);
  EXPECT_TRUE(model.training.converged);
  TrainOptions hasty;
  hasty.classifier.solver.max_iterations = 1;
  EXPECT_FALSE(train(Kernel(test::usual), data, hasty).training.converged);
}

TEST(SvmTraining, RejectsAMatrixBeyondTheMemory) {
  const Dataset data = toy_classes({.count = 40, .seed = 15});
  const test::Failure failure = test::failure_of([&] {
    train(Kernel("sst(t)"), data, {.solver = SvmSolver::matrix}, test::working(1, 4 * 40 * 40 - 1));
  });
  EXPECT_TRUE(test::contains(failure.message, "40 examples"));
  EXPECT_TRUE(test::contains(failure.message, "online"));
  EXPECT_NO_THROW(check_memory(40, test::working(1, 4 * 40 * 40)));
  EXPECT_TRUE(fails_with("of 100000 examples takes 37.3 GB, more than the 1.0 GB allowed",
                         [] { check_memory(100'000, test::working(1)); }));
}

TEST(SvmTraining, StopsWhenItIsCancelled) {
  const Dataset data = toy_classes({.count = 40, .seed = 16});
  Context context;
  context.cancelled = [] { return true; };
  for (const auto learner : {Learner::svm, Learner::perceptron}) {
    EXPECT_THROW(train(Kernel("sst(t)"), data, {.learner = learner}, context), Cancelled);
  }
  const Model model = train(Kernel("sst(t)"), data);
  EXPECT_THROW(predict(model, data, context), Cancelled);
}

TEST(Predictions, HaveLabelsAsText) {
  Predictions predictions;
  predictions.class_names = {"a", "b", "c"};
  predictions.classes = {{1}, {0, 2}, {}};
  EXPECT_EQ(predictions.label(0), "b");
  EXPECT_EQ(predictions.label(1), "a c");
  EXPECT_EQ(predictions.label(2), "");
  predictions.scores = Matrix<double>(2, 1);
  predictions.scores(0, 0) = -0.25;
  predictions.scores(1, 0) = 3;
  predictions.task = Task::regression;
  EXPECT_EQ(predictions.label(0), "-0.25");
  predictions.task = Task::one_class;
  EXPECT_EQ(predictions.label(0), "-1");
  EXPECT_EQ(predictions.label(1), "1");

  const Dataset data = toy_classes({.count = 40, .seed = 17});
  const Predictions found = predict(train(Kernel("sst(t)"), data), data);
  EXPECT_EQ(found.label(5), found.class_names[found.classes[5][0]]);
  EXPECT_EQ(found.class_names, (std::vector<std::string>{"k0", "k1", "k2"}));
}

TEST(SvmTraining, WithoutExamplesIsAnError) {
  EXPECT_TRUE(fails_with("no examples", [] { train(Kernel("sst()"), Dataset()); }));
}

}  // namespace
}  // namespace espalier
