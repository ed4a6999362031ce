#include "model/learned_kernel.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "espalier/model/tune.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

const Kernel& learning() {
  static const Kernel kernel("norm(st(t, weight=discriminance, fraction=0.25))");
  return kernel;
}

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

TEST(LearnedKernel, TakesItsFractionOfEachClass) {
  const Dataset data = test::toy_classes({.count = 80});
  const Targets targets = make_targets(data);
  const LearnedKernel found = learn_kernel(learning(), data, targets, numbers(80), 1);
  EXPECT_FALSE(needs_learning(found.kernel));
  EXPECT_EQ(found.examples.size(), 60);
  const auto all = targets.classes.class_sizes();
  const auto left = targets.classes.select(found.examples).class_sizes();
  for (std::size_t c = 0; c < all.size(); ++c) {
    EXPECT_NEAR(static_cast<double>(left[c]), 0.75 * static_cast<double>(all[c]), 1);
  }
  EXPECT_NE(learn_kernel(learning(), data, targets, numbers(80), 2).examples, found.examples);
}

TEST(LearnedKernel, LeavesAllExamplesIfThereIsNothingToLearn) {
  const Dataset data = test::toy_classes({.count = 20});
  const Kernel kernel("st(t)");
  const LearnedKernel found = learn_kernel(kernel, data, make_targets(data), numbers(20), 1);
  EXPECT_EQ(found.kernel, FittedKernel(kernel));
  EXPECT_EQ(found.examples, numbers(20));
}

TEST(LearnedKernel, NeedsClasses) {
  const Dataset data = test::toy_numbers({.count = 20});
  EXPECT_TRUE(test::fails_with("needs classification data", [&] { train(learning(), data); }));
}

/// Without the labels of these examples, weights learned from the others must be the same.
TEST(LearnedKernel, UsesOnlyItsOwnExamples) {
  const Dataset data = test::toy_classes({.count = 80});
  const Targets targets = make_targets(data);
  const LearnedKernel first = learn_kernel(learning(), data, targets, numbers(40), 1);
  const LearnedKernel again = learn_kernel(learning(), data.select(numbers(40)),
                                           targets.select(numbers(40)), numbers(40), 1);
  EXPECT_EQ(first.examples, again.examples);
  const Matrix<double> a = gram(first.kernel, data);
  const Matrix<double> b = gram(again.kernel, data);
  for (std::size_t i = 0; i < a.rows(); ++i) EXPECT_TRUE(std::ranges::equal(a.row(i), b.row(i)));
}

TEST(LearnedKernel, WeightsAreSavedWithTheModel) {
  const Dataset data = test::toy_classes({.count = 120}, 1000);
  const Dataset test_data = test::toy_classes({.count = 60, .seed = 5}, 1000);
  for (const Learner learner : {Learner::svm, Learner::linear, Learner::perceptron}) {
    const Model model = train(learning(), data, {.learner = learner});
    const Predictions expected = predict(model, test_data);
    const test::TempDir folder;
    save_model(model, folder.path("m"));
    const Predictions found = predict(load_model(folder.path("m")), test_data);
    EXPECT_EQ(found.classes, expected.classes);
    EXPECT_GT(Metric("accuracy").value(outcomes_of(model, found, test_data)), 0.8);
  }
}

TEST(LearnedKernel, IsLearnedInEachSplit) {
  const Dataset data = test::toy_classes({.count = 60}, 1000);
  const FittedKernel kernels[] = {Kernel("norm(st(t))"), learning()};
  for (const Learner learner : {Learner::svm, Learner::linear}) {
    const ValidationOptions halves{.split = SplitKind::random, .repeats = 3, .equal_parts = true};
    const auto results = cross_validate(kernels, data, {.learner = learner}, halves);
    ASSERT_EQ(results.size(), 2);
    EXPECT_EQ(evaluate(results[0].pooled).classification->examples, 3 * 30);
    EXPECT_EQ(evaluate(results[1].pooled).classification->examples, 3 * 20);
    // One alone is the same as among others.
    const auto alone = cross_validate(learning(), data, {.learner = learner}, halves);
    EXPECT_EQ(alone.spread_of().mean, results[1].spread_of().mean);
    const auto points = tune(kernels, data, {.learner = learner}, {.search = {{"C", {1.0, 10.0}}}});
    EXPECT_EQ(points.size(), 4);
  }
}

TEST(LinearLearner, MatchesTheKernelSvm) {
  const Dataset data = test::toy_classes({.count = 120});
  const Dataset test_data = test::toy_classes({.count = 60, .seed = 5});
  const Kernel kernel("norm(st(t, leaves=true)) + norm(linear(v))");
  const Model svm = train(kernel, data, {});
  const Model linear = train(kernel, data, {.learner = Learner::linear, .probabilities = true});
  EXPECT_EQ(linear.training.learner, "linear");
  EXPECT_TRUE(has_probabilities(linear));
  const Predictions expected = predict(svm, test_data);
  const Predictions found = predict(linear, test_data);
  // They differ in whether the bias is regularised, which moves few decisions.
  std::size_t same = 0;
  for (std::size_t i = 0; i < 60; ++i) same += found.classes[i] == expected.classes[i] ? 1 : 0;
  EXPECT_GE(same, 57);
}

TEST(LinearLearner, TrainsRegressionButNoOneClassModel) {
  const Dataset data = test::toy_numbers({.count = 60});
  const Model model = train(Kernel("linear(d)"), data, {.learner = Learner::linear});
  EXPECT_EQ(model.task(), Task::regression);
  EXPECT_TRUE(test::fails_with("cannot train a one-class model", [&] {
    train(Kernel("linear(d)"), data, {.learner = Learner::linear, .task = Task::one_class});
  }));
  EXPECT_TRUE(test::fails_with("no explicit features", [&] {
    train(Kernel("sst(t)"), data, {.learner = Learner::linear});
  }));
}

}  // namespace
}  // namespace espalier
