// Networks on Nystroem vectors.
#include <gtest/gtest.h>

#include "espalier/model/tune.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

const Kernel tree_kernel("norm(pt(t))");

TrainOptions small_network(std::size_t landmarks = 30) {
  TrainOptions out;
  out.learner = Learner::kda;
  out.nystroem = NystroemOptions{.landmarks = landmarks};
  out.network.hidden = {16};
  out.network.dropout = out.network.input_dropout = 0.1;
  out.network.learning_rate = 0.01;
  out.network.batch_size = 16;
  out.network.epochs = 60;
  return out;
}

TEST(NetworkModel, PredictsProbabilities) {
  const Dataset train_data = test::toy_classes({.count = 120});
  const Dataset test_data = test::toy_classes({.count = 60, .seed = 2}, 1000);
  const Model model = train(tree_kernel, train_data, small_network());
  EXPECT_EQ(model.training.learner, "kda");
  EXPECT_EQ(model.training.support_vectors, 30U);
  EXPECT_EQ(model.landmarks()->curve.size(), model.training.iterations);
  EXPECT_GT(test::accuracy(model, test_data), 0.9);
  const Predictions predictions = predict(model, test_data);
  for (std::size_t i = 0; i < test_data.size(); ++i) {
    double sum = 0, highest = 0;
    for (const double p : predictions.probabilities.row(i)) {
      sum += p;
      highest = std::max(highest, p);
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_EQ(predictions.probabilities(i, predictions.classes[i][0]), highest);
  }
}

TEST(NetworkModel, TrainsBinaryMultiLabelAndRegression) {
  const Dataset two = test::toy_classes({.count = 80, .kinds = 2});
  EXPECT_GT(test::accuracy(train(tree_kernel, two, small_network()), two), 0.9);
  const Dataset several = test::toy_several({.count = 100});
  EXPECT_GT(test::accuracy(train(tree_kernel, several, small_network(60)), several), 0.8);
  const ValidationResult numbers = cross_validate(tree_kernel, test::toy_numbers({.count = 100}),
                                                  small_network(40), {.folds = 4});
  EXPECT_GT(numbers.spread_of("pearson").mean, 0.8);
}

TEST(NetworkModel, IsSavedAndLoaded) {
  const test::TempDir folder;
  const Dataset data = test::toy_classes({.count = 60});
  TrainOptions options = small_network(12);
  options.network.train_projection = true;
  const Model model = train(tree_kernel, data, options);
  save_model(model, folder.path("model"));
  const Model again = load_model(folder.path("model"));
  const Predictions a = predict(model, data), b = predict(again, data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    EXPECT_EQ(a.scores(i, 0), b.scores(i, 0));
    EXPECT_EQ(a.probabilities(i, 1), b.probabilities(i, 1));
  }
  EXPECT_EQ(again.landmarks()->curve.size(), model.landmarks()->curve.size());
  ASSERT_EQ(again.landmarks()->landmarks.size(), 12U);
  EXPECT_EQ(again.landmarks()->landmarks[3].text, model.landmarks()->landmarks[3].text);
}

TEST(NetworkModel, PredictionsDoNotDependOnOtherExamplesOrThreads) {
  const Dataset data = test::toy_classes({.count = 60});
  const Model model = train(tree_kernel, data, small_network(), test::working(1));
  const Model other = train(tree_kernel, data, small_network(), test::working(3));
  const Predictions all = predict(model, data, test::working(1));
  const Predictions again = predict(other, data, test::working(3));
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    const Predictions alone = predict(model, data.select({&i, 1}));
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(all.scores(i, c), alone.scores(0, c));
      EXPECT_EQ(all.scores(i, c), again.scores(i, c));
    }
  }
}

TEST(NetworkModel, CrossValidationMatchesTraining) {
  const Dataset data = test::toy_classes({.count = 60}, 1000);
  const TrainOptions options = small_network(1000);
  ValidationOptions validation;
  validation.folds = 3;
  const ValidationResult result = cross_validate(tree_kernel, data, options, validation);
  const std::vector<Split> splits =
      make_splits(make_targets(data), data.size(), validation, example_groups(data, {}).group_of);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Model model = train(tree_kernel, data.select(splits[s].train), options);
    EXPECT_NEAR(Metric("accuracy").value(result.splits[s]),
                test::accuracy(model, data.select(splits[s].test)), 1e-12);
  }
}

TEST(NetworkModel, GridSearchOverKernels) {
  const Dataset data = test::toy_classes({.count = 40});
  TuneOptions tuning;
  tuning.validation.folds = 2;
  const FittedKernel kernels[] = {tree_kernel, Kernel("norm(st(t))")};
  EXPECT_EQ(tune(kernels, data, small_network(10), tuning).size(), 2U);
  tuning.search = {{"C", {1.0, 10.0}}};
  EXPECT_TRUE(test::fails_with("C is for svm, linear, not for kda",
                               [&] { tune(kernels, data, small_network(10), tuning); }));
}

TEST(NetworkModel, HandlesTinyData) {
  // One landmark, more landmarks than examples, a class without landmarks, and a
  // validation set with a single class.
  const Dataset data = test::toy_classes({.count = 60}, 1000);
  EXPECT_EQ(predict(train(tree_kernel, data, small_network(1)), data).scores.columns(), 3U);
  const Dataset few = test::toy_classes({.count = 5});
  TrainOptions options = small_network(1000);
  options.validation_fraction = 0.2;
  EXPECT_EQ(predict(train(tree_kernel, few, options), few).classes.size(), 5U);
  options.validation_fraction = 1;
  EXPECT_TRUE(test::fails_with("validation_fraction = 1 is outside [0, 1)",
                               [&] { train(tree_kernel, few, options); }));
}

TEST(NetworkModel, RejectsOneClass) {
  TrainOptions options = small_network();
  options.task = Task::one_class;
  EXPECT_TRUE(test::fails_with("cannot train a one-class model", [&] {
    train(tree_kernel, test::toy_classes({.count = 20}), options);
  }));
}

}  // namespace
}  // namespace espalier
