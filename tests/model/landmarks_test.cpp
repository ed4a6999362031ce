// Linear learning on Nystroem vectors.
#include <gtest/gtest.h>

#include "espalier/model/tune.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

const Kernel partial_trees("norm(pt(t))");

TrainOptions with_landmarks(std::size_t landmarks,
                            LandmarkPolicy policy = LandmarkPolicy::uniform) {
  TrainOptions out;
  out.learner = Learner::linear;
  out.nystroem = NystroemOptions{.landmarks = landmarks, .policy = policy};
  return out;
}

TEST(Landmarks, TrainAClassifier) {
  const Dataset train_data = test::toy_classes({.count = 120});
  const Dataset test_data = test::toy_classes({.count = 60, .seed = 2}, 1000);
  const Model model = train(partial_trees, train_data, with_landmarks(40));
  EXPECT_EQ(model.training.learner, "linear on landmarks");
  EXPECT_EQ(model.training.support_vectors, 40U);
  EXPECT_GT(test::accuracy(model, test_data), 0.9);
}

TEST(Landmarks, AllExamplesAsLandmarksMatchTheKernelSvm) {
  // The SVM on explicit features is the same, including the bias.
  const Kernel explicit_kernel("norm(st(t)) + linear(d)");
  const Dataset data = test::toy_classes({.count = 60});
  TrainOptions options = with_landmarks(60);
  options.classifier.solver.tolerance = 1e-8;
  const Model by_landmarks = train(explicit_kernel, data, options);
  options.nystroem.landmarks = 0;
  const Model by_features = train(explicit_kernel, data, options);
  const Matrix<double> a = decision_values(by_landmarks, data);
  const Matrix<double> b = decision_values(by_features, data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::size_t m = 0; m < a.columns(); ++m) EXPECT_NEAR(a(i, m), b(i, m), 1e-3);
  }
}

TEST(Landmarks, TrainRegressionMultiLabelAndProbabilities) {
  const Dataset numbers = test::toy_numbers({.count = 100});
  const ValidationResult result = cross_validate(partial_trees, numbers, with_landmarks(40), {});
  EXPECT_GT(result.spread_of("pearson").mean, 0.8);
  const Dataset several = test::toy_several({.count = 100});
  EXPECT_GT(test::accuracy(train(partial_trees, several, with_landmarks(60)), several), 0.9);
  TrainOptions options = with_landmarks(30, LandmarkPolicy::classwise);
  options.probabilities = true;
  EXPECT_GT(test::accuracy(train(partial_trees, several, options), several), 0.7);
  const Dataset data = test::toy_classes({.count = 60});
  const Predictions predictions = predict(train(partial_trees, data, options), data);
  EXPECT_NEAR(predictions.probabilities(0, 0) + predictions.probabilities(0, 1) +
                  predictions.probabilities(0, 2),
              1, 1e-9);
}

TEST(Landmarks, SupportClassesWithoutLandmarks) {
  const Dataset data = test::toy_classes({.count = 60}, 1000);
  const Model model = train(partial_trees, data, with_landmarks(1));
  EXPECT_EQ(model.classes().size(), 3U);
  EXPECT_EQ(predict(model, data).scores.columns(), 3U);
}

TEST(Landmarks, AcceptUnlabelledExamplesInMultiLabelData) {
  const Dataset known = test::toy_classes({.count = 30});
  std::vector<std::vector<Label>> labels;
  for (std::size_t i = 0; i < known.size(); ++i) {
    labels.push_back(i == 7 ? std::vector<Label>() : known.example(i).labels);
  }
  labels[3].push_back({"another", {}});
  const Dataset data = known.relabelled(labels);
  for (const LandmarkPolicy policy : {LandmarkPolicy::classwise, LandmarkPolicy::support}) {
    const Model model = train(partial_trees, data, with_landmarks(10, policy));
    EXPECT_TRUE(model.multi_label());
    EXPECT_EQ(model.training.support_vectors, 10U);
  }
}

TEST(Landmarks, AreSavedAndLoaded) {
  const test::TempDir folder;
  const std::string path = folder.path("model");
  const Dataset data = test::toy_classes({.count = 50});
  const Model model = train(partial_trees, data, with_landmarks(10));
  save_model(model, path);
  const Model again = load_model(path);
  const Matrix<double> a = predict(model, data).scores;
  const Matrix<double> b = predict(again, data).scores;
  for (std::size_t i = 0; i < data.size(); ++i) EXPECT_EQ(a(i, 0), b(i, 0));
  EXPECT_EQ(again.training.support_vectors, 10U);
}

TEST(Landmarks, AreChosenWithinTheTrainingPart) {
  // So each split is what training on its part alone gives, although there are more examples.
  const Dataset data = test::toy_classes({.count = 60}, 1000);
  const TrainOptions options = with_landmarks(1000);
  ValidationOptions validation;
  validation.folds = 3;
  const ValidationResult result = cross_validate(partial_trees, data, options, validation);
  const Targets targets = make_targets(data);
  const std::vector<Split> splits =
      make_splits(targets, data.size(), validation, example_groups(data, {}).group_of);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Model model = train(partial_trees, data.select(splits[s].train), options);
    EXPECT_NEAR(Metric("accuracy").value(result.splits[s]),
                test::accuracy(model, data.select(splits[s].test)), 1e-12);
  }
}

TEST(Landmarks, AreSharedByAllCostsOfAGridSearch) {
  const Dataset data = test::toy_classes({.count = 60});
  TuneOptions tuning;
  tuning.search = {{"C", {0.1, 1.0}}};
  tuning.validation.folds = 3;
  const FittedKernel kernels[] = {partial_trees, Kernel("norm(st(t, weight=discriminance))")};
  TrainOptions options = with_landmarks(20);
  const auto points = tune(kernels, data, options, tuning);
  ASSERT_EQ(points.size(), 4U);
  for (const TunePoint& point : points) {
    const ValidationResult alone =
        cross_validate(Kernel(point.kernel), data, with_setting(options, point), tuning.validation);
    EXPECT_EQ(point.score.mean, alone.spread_of("accuracy").mean) << point.kernel;
  }
}

TEST(Landmarks, AreForLinearAndKda) {
  const Dataset data = test::toy_classes({.count = 20});
  TrainOptions options = with_landmarks(5);
  options.learner = Learner::svm;
  EXPECT_TRUE(test::fails_with("for the learners linear and kda",
                               [&] { train(partial_trees, data, options); }));
  EXPECT_TRUE(test::fails_with("for the learners linear and kda",
                               [&] { cross_validate(partial_trees, data, options, {}); }));
  options.learner = Learner::linear;
  options.task = Task::one_class;
  EXPECT_TRUE(test::fails_with("cannot train a one-class model",
                               [&] { train(partial_trees, data, options); }));
}

}  // namespace
}  // namespace espalier
