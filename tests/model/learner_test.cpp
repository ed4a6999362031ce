// The learner interface: what cross-validation sees is what the trained model predicts.
#include "model/learner.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "model/toy_data.hpp"
#include "support/cases.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

struct LearnerCase : test::Row {
  TrainOptions options;
};

class AnyLearner : public testing::TestWithParam<LearnerCase> {};

TEST_P(AnyLearner, ScoresAsItsModelPredicts) {
  const Dataset sets[] = {test::toy_classes({.count = 30}), test::toy_several({.count = 30}),
                          test::toy_numbers({.count = 30})};
  const FittedKernel kernel{Kernel("norm(st(t)) + norm(linear(v))")};
  std::vector<std::uint32_t> all(30);
  std::iota(all.begin(), all.end(), 0U);
  const TrainOptions& options = GetParam().options;
  for (const Dataset& data : sets) {
    const Targets targets = make_targets(data);
    if (options.learner == Learner::perceptron && targets.task == Task::regression) continue;
    const auto learners = prepare({{&kernel, 1}, data, targets, options, {}});
    ASSERT_EQ(learners.size(), 1U);
    learners[0]->train(all, options, {});
    const Predictions scored = learners[0]->score(all, {});
    const Predictions predicted = predict(learners[0]->model({}), data);
    EXPECT_EQ(scored.classes, predicted.classes);
    EXPECT_EQ(scored.class_names, predicted.class_names);
    ASSERT_EQ(scored.scores.columns(), predicted.scores.columns());
    for (std::size_t k = 0; k < all.size() * scored.scores.columns(); ++k) {
      EXPECT_NEAR(scored.scores.data()[k], predicted.scores.data()[k], 1e-4);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Learners, AnyLearner,
    testing::Values(
        LearnerCase{{"svm"}, {}}, LearnerCase{{"linear"}, {.learner = Learner::linear}},
        LearnerCase{{"landmarks"}, {.learner = Learner::linear, .nystroem = {.landmarks = 10}}},
        LearnerCase{
            {"kda"},
            {.learner = Learner::kda, .nystroem = {.landmarks = 10}, .network = {.epochs = 5}}},
        LearnerCase{{"perceptron"}, {.learner = Learner::perceptron}},
        LearnerCase{{"pa"}, {.learner = Learner::passive_aggressive, .budget = 12}}),
    test::RowName());

TEST(PreparedLearner, SvmPreparesKernelsTogetherThatFitIntoMemory) {
  const Dataset data = test::toy_classes({.count = 30});
  const Targets targets = make_targets(data);
  const std::vector<FittedKernel> kernels = {Kernel("sst(t)"), Kernel("pt(t)"),
                                             Kernel("linear(d)")};
  const std::size_t matrix = 4 * 30 * 30 + 1;
  for (const std::size_t fitting : {1U, 2U, 3U, 9U}) {
    Context context;
    context.memory = fitting * matrix;
    EXPECT_EQ(prepare({kernels, data, targets, {}, context}).size(),
              std::min<std::size_t>(fitting, 3));
  }
  const TrainOptions online{.learner = Learner::perceptron};
  EXPECT_EQ(prepare({kernels, data, targets, online, {}}).size(), 1U);
}

}  // namespace
}  // namespace espalier
