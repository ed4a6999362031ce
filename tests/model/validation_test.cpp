#include "espalier/model/validation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::toy_classes;
using test::toy_numbers;
using Numbers = std::vector<std::uint32_t>;

const Kernel& usual_kernel() {
  static const Kernel kernel("norm(sst(t)) + norm(linear(v))");
  return kernel;
}

// --- Splits --------------------------------------------------------------------------------------

void expect_partition(const Split& split, std::size_t examples) {
  Numbers all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::ranges::sort(all);
  Numbers expected(examples);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(all, expected);
  EXPECT_FALSE(split.test.empty());
  EXPECT_FALSE(split.train.empty());
}

TEST(ValidationSplits, PartitionTheData) {
  const Dataset all[] = {toy_classes({.count = 33, .seed = 1}),
                         toy_numbers({.count = 33, .seed = 1}),
                         test::toy_several({.count = 33, .seed = 1})};
  const struct {
    ValidationOptions options;
    std::size_t splits;
    bool each_once;  ///< each example is tested once in each repetition
  } cases[] = {
      {{.folds = 5}, 5, true},
      {{.folds = 4, .repeats = 3}, 12, true},
      {{.split = SplitKind::random, .repeats = 7, .train_fraction = 0.7}, 7, false},
      {{.split = SplitKind::leave_one_out}, 33, true},
  };
  for (const Dataset& data : all) {
    const Targets targets = make_targets(data);
    for (const auto& [options, count, each_once] : cases) {
      const auto splits = make_splits(targets, 33, options);
      ASSERT_EQ(splits.size(), count);
      std::vector<std::size_t> tested(33, 0);
      for (const Split& split : splits) {
        expect_partition(split, 33);
        for (const std::uint32_t i : split.test) ++tested[i];
      }
      if (each_once) {
        EXPECT_EQ(tested, std::vector<std::size_t>(33, options.repeats));
      } else {
        for (const Split& split : splits) EXPECT_EQ(split.train.size(), 23U);
      }
      EXPECT_EQ(make_splits(targets, 33, options), splits);
    }
  }
}

TEST(ValidationSplits, EachFoldHasItsFractionOfEachClass) {
  const Targets targets = make_targets(toy_classes({.count = 40, .seed = 2}));
  const auto sizes = targets.classes.class_sizes();
  for (const Split& split : make_splits(targets, 40, {.folds = 4})) {
    const auto in_test = targets.classes.select(split.test).class_sizes();
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      EXPECT_NEAR(static_cast<double>(in_test[c]), static_cast<double>(sizes[c]) / 4, 1);
    }
  }
}

TEST(ValidationSplits, DependOnRepetitionAndSeed) {
  const Targets targets = make_targets(toy_classes({.count = 40, .seed = 2}));
  const auto twice = make_splits(targets, 40, {.folds = 4, .repeats = 2});
  EXPECT_NE(twice[0], twice[4]);
  EXPECT_NE(make_splits(targets, 40, {.folds = 4, .seed = 9})[0], twice[0]);
  EXPECT_TRUE(fails_with("folds", [&] { make_splits(targets, 40, {.folds = 41}); }));
}

// --- Cross-validation ----------------------------------------------------------------------------

/// Trains on the parts as data sets of their own.
std::vector<double> separately(const Dataset& data, const TrainOptions& options,
                               const ValidationOptions& validation, const std::string& name = "") {
  std::vector<double> out;
  for (const Split& split : make_splits(make_targets(data, options.task), data.size(), validation,
                                        example_groups(data, validation.grouping).group_of)) {
    const Model model = train(usual_kernel(), data.select(split.train), options);
    const Dataset test = data.select(split.test);
    const Outcomes outcomes = outcomes_of(model, predict(model, test), test);
    out.push_back((name.empty() ? default_metric(outcomes) : Metric(name)).value(outcomes));
  }
  return out;
}

TEST(CrossValidation, MatchesTrainingOnEachSplit) {
  TrainOptions pairs, pa, weighed, loose;
  pairs.classifier.multi_class = MultiClass::one_vs_one;
  pa.learner = Learner::passive_aggressive;
  pa.epochs = 2;
  weighed.class_weight.weights = {{"k1", 3}};
  loose.classifier.cost = 0.01;
  const ValidationOptions folds{.folds = 4, .seed = 3};
  const Dataset data = toy_classes({.count = 60, .seed = 3, .kinds = 4}, 2);
  std::set<double> means;
  for (const TrainOptions& options : {TrainOptions{}, pairs, pa, weighed, loose}) {
    const auto expected = separately(data, options, folds);
    const ValidationResult result = cross_validate(usual_kernel(), data, options, folds);
    ASSERT_EQ(result.splits.size(), expected.size());
    for (std::size_t s = 0; s < expected.size(); ++s) {
      EXPECT_DOUBLE_EQ(default_metric(result.pooled).value(result.splits[s]), expected[s]) << s;
    }
    means.insert(result.spread_of().mean);
  }
  EXPECT_GT(means.size(), 2U) << "the settings should make a difference";
}

TEST(CrossValidation, RegressionMatchesTrainingOnEachSplit) {
  const Dataset data = toy_numbers({.count = 60, .seed = 4});
  const ValidationOptions random{.split = SplitKind::random, .repeats = 3};
  for (const auto learner : {Learner::svm, Learner::passive_aggressive}) {
    const TrainOptions options{.learner = learner};
    for (const char* name : {"r2", "pearson"}) {
      const auto expected = separately(data, options, random, name);
      const ValidationResult result = cross_validate(usual_kernel(), data, options, random);
      for (std::size_t s = 0; s < 3; ++s) {
        // The matrix is float, and the functions of a model are computed in double.
        EXPECT_NEAR(Metric(name).value(result.splits[s]), expected[s], 1e-5);
        EXPECT_GT(expected[s], 0.5);
      }
    }
  }
}

TEST(CrossValidation, MultiLabelHandlesSplitsWithoutLabels) {
  // One example only has two classes: without it, the others look as if a label were missing.
  Dataset data = test::toy_data({.count = 20, .seed = 5, .kinds = 3}, [](std::size_t kind, auto&) {
    if (kind == 0) return std::vector<Label>{};
    return std::vector{test::of_class(kind == 1 ? "one" : "two")};
  });
  test::Random random(1);
  Example both = test::toy_example(random, 1, false);
  both.labels = {test::of_class("one"), test::of_class("two")};
  data.add(both);
  for (const auto learner : {Learner::svm, Learner::perceptron}) {
    const ValidationResult result =
        cross_validate(usual_kernel(), data, {.learner = learner}, {.folds = 3});
    EXPECT_TRUE(evaluate(result.pooled).classification->multi_label);
    EXPECT_EQ(evaluate(result.pooled).classification->examples, 21U);
  }
}

TEST(CrossValidation, KeepsTheTaskInEachSplit) {
  // Without the 0.5, the others look like two classes.
  Dataset data = test::toy_data({.count = 20, .seed = 6, .kinds = 2}, [](std::size_t kind, auto&) {
    return std::vector{test::number(static_cast<double>(kind))};
  });
  test::Random random(1);
  Example two = test::toy_example(random, 2, false);
  two.labels = {test::number(0.5)};
  data.add(two);
  for (const auto learner : {Learner::svm, Learner::passive_aggressive}) {
    const ValidationResult result =
        cross_validate(usual_kernel(), data, {.learner = learner}, {.folds = 3});
    ASSERT_TRUE(result.pooled.regression());
    EXPECT_GT(*evaluate(result.pooled).regression->r2, 0.3);
  }
}

TEST(CrossValidation, HandlesSplitsWithMissingClassesOrTrees) {
  Dataset data = toy_classes({.count = 20, .seed = 7, .kinds = 2}, 1'000'000);
  data.add(test::ExampleOf().label("rare").tree("t", "(r(rare(z)))"));
  for (const auto learner : {Learner::svm, Learner::perceptron}) {
    const ValidationResult result = cross_validate(usual_kernel(), data, {.learner = learner},
                                                   {.split = SplitKind::leave_one_out});
    EXPECT_EQ(evaluate(result.pooled).classification->examples, 21U);
    EXPECT_NEAR(evaluate(result.pooled).classification->accuracy, 20.0 / 21, 0.15);
    EXPECT_LT(evaluate(result.pooled).classification->accuracy,
              1);  // a class with one example cannot be learned
  }
}

TEST(CrossValidation, PoolsAllSplits) {
  const Dataset data = toy_classes({.count = 43, .seed = 8}, 4);
  std::vector<std::size_t> numbers;
  double right = 0;
  const auto finished = [&](std::size_t s, const Outcomes& outcomes) {
    numbers.push_back(s);
    right += Metric("accuracy").value(outcomes) * static_cast<double>(outcomes.size());
  };
  const ValidationResult result =
      cross_validate(usual_kernel(), data, {}, {.folds = 4}, {}, finished);
  EXPECT_EQ(numbers, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_NEAR(evaluate(result.pooled).classification->accuracy, right / 43, 1e-12);
  EXPECT_EQ(evaluate(result.pooled).classification->examples, 43U);
  const Spread spread = result.spread_of("macro_f1");
  EXPECT_EQ(spread.count, 4U);
  EXPECT_TRUE(spread.min <= spread.mean && spread.mean <= spread.max);
}

TEST(CrossValidation, LeaveOneOutIsPooled) {
  for (const Dataset& data :
       {toy_classes({.count = 25, .seed = 9}, 4), toy_numbers({.count = 25, .seed = 9})}) {
    const bool classes = make_targets(data).task == Task::classification;
    std::size_t calls = 0;
    const ValidationResult result =
        cross_validate(usual_kernel(), data, {}, {.split = SplitKind::leave_one_out}, {},
                       [&](std::size_t, const Outcomes&) { ++calls; });
    EXPECT_EQ(calls, 25U);
    EXPECT_TRUE(result.splits.empty());
    std::vector<double> predicted, truth;
    std::size_t right = 0;
    for (const Split& split : leave_one_out(25)) {
      const Model model = train(usual_kernel(), data.select(split.train));
      const Dataset left = data.select(split.test);
      const Predictions one = predict(model, left);
      if (classes) {
        right += model.classes()[one.classes[0][0]] == left.example(0).labels[0].name ? 1 : 0;
      } else {
        predicted.push_back(one.scores(0, 0));
        truth.push_back(*left.example(0).labels[0].value);
      }
    }
    const Spread spread = result.spread_of();
    EXPECT_EQ(spread.count, 1U);
    EXPECT_NEAR(
        spread.mean,
        classes ? static_cast<double>(right) / 25 : *evaluate_regression(truth, predicted).r2,
        1e-5);
  }
}

TEST(CrossValidation, IsBitIdenticalForAnyThreads) {
  const Dataset data = toy_classes({.count = 60, .seed = 10}, 4);
  TrainOptions likely;
  likely.probabilities = true;
  const auto values = [&](std::size_t threads) {
    std::vector<double> out;
    const ValidationResult result =
        cross_validate(usual_kernel(), data, likely, {.folds = 5}, test::working(threads));
    for (const Outcomes& each : result.splits) out.push_back(Metric("macro_f1").value(each));
    return out;
  };
  EXPECT_EQ(values(1), values(3));
}

TEST(CrossValidation, RejectsBadInput) {
  const Dataset data = toy_classes({.count = 30, .seed = 11});
  TrainOptions one_class;
  one_class.task = Task::one_class;
  EXPECT_TRUE(
      fails_with("one-class", [&] { cross_validate(usual_kernel(), data, one_class, {}); }));
  EXPECT_TRUE(fails_with("Gram matrix of 30 examples", [&] {
    cross_validate(usual_kernel(), data, {.solver = SvmSolver::matrix}, {}, test::working(1, 100));
  }));
  EXPECT_TRUE(fails_with("folds", [&] { cross_validate(usual_kernel(), data, {}, {.folds = 1}); }));
  Context context;
  std::size_t splits = 0;
  context.cancelled = [&] { return splits >= 2; };
  EXPECT_THROW(cross_validate(usual_kernel(), data, {}, {.folds = 5}, context,
                              [&](std::size_t, const Outcomes&) { ++splits; }),
               Cancelled);
  EXPECT_EQ(splits, 2U);
}

}  // namespace
}  // namespace espalier
