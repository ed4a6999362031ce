// Training on distributed trees: models are weights of vector components.
#include <gtest/gtest.h>

#include "espalier/model/tune.hpp"
#include "model/toy_data.hpp"
#include "support/grams.hpp"
#include "support/temp_dir.hpp"

namespace espalier {
namespace {

const Kernel kernel("norm(dtk(t, dim=512))");

std::size_t right(const Model& model, const Dataset& data) {
  const Predictions predictions = predict(model, data);
  std::size_t out = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::string name(data.label_names().text(data.labels(i)[0].name));
    out += model.classes()[predictions.classes[i][0]] == name ? 1 : 0;
  }
  return out;
}

TEST(DistributedModel, ClassifiesWithAnyLearner) {
  const Dataset data = test::toy_classes({.count = 120}, 1000);
  const Dataset others = test::toy_classes({.count = 60, .seed = 5}, 1000);
  for (const Learner learner :
       {Learner::svm, Learner::linear, Learner::perceptron, Learner::passive_aggressive}) {
    const Model model = train(kernel, data, {.learner = learner});
    EXPECT_GE(right(model, others), 57U) << static_cast<int>(learner);
  }
}

TEST(DistributedModel, HoldsOneWeightPerComponentAndClassifier) {
  const Dataset data = test::toy_classes({.count = 60});
  for (const Learner learner : {Learner::svm, Learner::linear}) {
    const FunctionsSummary summary = train(kernel, data, {.learner = learner}).functions.summary();
    EXPECT_EQ(summary.weights, 3 * 512U);
    EXPECT_EQ(summary.subtrees, 0U);
    EXPECT_EQ(summary.support_vectors, 0U);
  }
}

TEST(DistributedModel, PredictsTheSameAfterLoading) {
  const test::TempDir folder;
  const Dataset data = test::toy_classes({.count = 60});
  const Dataset others = test::toy_classes({.count = 30, .seed = 5});
  const Model model = train(kernel, data, {.learner = Learner::linear, .probabilities = true});
  save_model(model, folder.path("m.model"));
  const Model again = load_model(folder.path("m.model"));
  EXPECT_EQ(again.functions.kernel().to_string(), kernel.to_string());
  EXPECT_TRUE(test::identical(again.functions(others), model.functions(others)));
  EXPECT_EQ(predict(again, others).classes, predict(model, others).classes);
}

TEST(DistributedModel, TrainsRegression) {
  const Dataset data = test::toy_numbers({.count = 80});
  const Model model = train(kernel, data, {.learner = Learner::linear});
  const Predictions predictions = predict(model, data);
  double error = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    error += std::abs(predictions.scores(i, 0) - *data.labels(i)[0].value);
  }
  EXPECT_LT(error / static_cast<double>(data.size()), 0.5);
}

TEST(DistributedModel, CrossValidationOnVectorsMatchesGramMatrix) {
  const Dataset data = test::toy_classes({.count = 60});
  const ValidationOptions folds{.folds = 3};
  const double linear =
      cross_validate(kernel, data, {.learner = Learner::linear}, folds).spread_of().mean;
  const double svm = cross_validate(kernel, data, {}, folds).spread_of().mean;
  EXPECT_NEAR(linear, svm, 0.1);
  EXPECT_GT(linear, 0.7);
  const std::vector<FittedKernel> kernels = sweep("norm(dtk(t, dim=64, lambda={0.2,0.4}))");
  EXPECT_EQ(
      tune(kernels, data, {.learner = Learner::linear}, {.search = {{"C", {1.0, 10.0}}}}).size(),
      4U);
}

}  // namespace
}  // namespace espalier
