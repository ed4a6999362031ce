// Models of the working-set solver are those of the solver on the Gram matrix.
#include "espalier/learn/working_set.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/io/format.hpp"
#include "espalier/model/train.hpp"
#include "espalier/model/validation.hpp"
#include "model/toy_data.hpp"
#include "support/grams.hpp"
#include "support/shared_data.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using test::toy_classes;

TrainOptions with(SvmSolver solver, double tolerance = 1e-5) {
  TrainOptions out;
  out.solver = solver;
  out.classifier.solver.tolerance = tolerance;
  return out;
}

/// The models of both solvers decide alike about other data.
void expect_equal_models(const Kernel& kernel, const Dataset& train_data, const Dataset& test_data,
                         TrainOptions options) {
  options.classifier.solver.tolerance = 1e-6;
  options.solver = SvmSolver::matrix;
  const Model matrix = train(kernel, train_data, options);
  options.solver = SvmSolver::working_set;
  // So little memory that a working set is a part of the data.
  const Model other = train(kernel, train_data, options, test::working(2, 16 * 12 * 12));
  EXPECT_TRUE(matrix.training.converged && other.training.converged);
  const Predictions a = predict(matrix, test_data), b = predict(other, test_data);
  ASSERT_EQ(a.scores.columns(), b.scores.columns());
  for (std::size_t i = 0; i < test_data.size(); ++i) {
    for (std::size_t c = 0; c < a.scores.columns(); ++c) {
      if (a.scores(i, c) == b.scores(i, c)) continue;  // also if both are infinite
      EXPECT_NEAR(a.scores(i, c), b.scores(i, c), 1e-3);
      if (has_probabilities(matrix)) {
        EXPECT_NEAR(a.probabilities(i, c), b.probabilities(i, c), 1e-2);
      }
    }
  }
}

TEST(WorkingSetModel, EqualsThatOfTheMatrix) {
  const Dataset data = toy_classes({.count = 60, .seed = 1});
  const Dataset unseen = toy_classes({.count = 30, .seed = 2});
  TrainOptions rest, pairs, balanced, likely, one_class;
  pairs.classifier.multi_class = MultiClass::one_vs_one;
  balanced.class_weight.balanced = true;
  likely.probabilities = true;
  one_class.task = Task::one_class;
  for (const TrainOptions& options : {rest, pairs, balanced, likely, one_class}) {
    expect_equal_models(Kernel(test::usual), data, unseen, options);
  }
}

/// Trees only, of which some occur several times, some of them with different classes.
Dataset repeated_trees(std::size_t count, std::size_t classes, std::uint32_t seed) {
  test::Random random(seed);
  Dataset out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t kind = random.below(static_cast<std::uint32_t>(classes));
    const std::string name = "k" + std::to_string(random.one_in(6) ? 0 : kind);
    test::ExampleOf example;
    const auto shape = test::random_shape(random, 1 + random.below(4), 2);
    example.tree("t", test::to_tree(test::PlainTree{name, {shape}}));
    example.label("c" + std::to_string(kind));
    out.add(example);
  }
  return out;
}

TEST(WorkingSetModel, EqualsThatOfTheMatrixWithDuplicates) {
  const Dataset data = repeated_trees(120, 3, 1), unseen = repeated_trees(40, 3, 2);
  TrainOptions rest, likely, one_class;
  likely.probabilities = true;
  one_class.task = Task::one_class;
  for (const TrainOptions& options : {rest, likely, one_class}) {
    expect_equal_models(Kernel("norm(sst())"), data, unseen, options);
  }
}

/// With that many classes, half of the Gram matrix is kept where it fits.
TEST(WorkingSetModel, EqualsThatOfTheMatrixWithManyClasses) {
  const Dataset data = repeated_trees(150, 20, 3), unseen = repeated_trees(40, 20, 4);
  TrainOptions options = with(SvmSolver::matrix, 1e-6);
  const Model matrix = train(Kernel("norm(sst())"), data, options);
  options.solver = SvmSolver::working_set;
  for (const std::size_t memory : {std::size_t{1} << 22, std::size_t{16 * 30 * 30}}) {
    const Model other = train(Kernel("norm(sst())"), data, options, test::working(2, memory));
    const Predictions a = predict(matrix, unseen), b = predict(other, unseen);
    for (std::size_t i = 0; i < unseen.size(); ++i) {
      for (std::size_t c = 0; c < a.scores.columns(); ++c) {
        EXPECT_NEAR(a.scores(i, c), b.scores(i, c), 1e-3);
      }
    }
  }
}

TEST(WorkingSetModel, IsChosenWhereTheMatrixDoesNotFit) {
  const TrainOptions options;
  EXPECT_FALSE(uses_working_set(options, 40, test::working(1, 4 * 40 * 40)));
  EXPECT_TRUE(uses_working_set(options, 40, test::working(1, 4 * 40 * 40 - 1)));
  EXPECT_FALSE(uses_working_set({.learner = Learner::linear}, 40, test::working(1, 1)));
  const Dataset data = toy_classes({.count = 40, .seed = 3});
  EXPECT_TRUE(train(Kernel("norm(sst(t))"), data, {}, test::working(1, 4 * 40 * 40 - 1))
                  .training.converged);
}

TEST(WorkingSetModel, ValidatesAndTunesLikeTheMatrix) {
  const Dataset data = toy_classes({.count = 60, .seed = 4}, 4);
  const std::vector<FittedKernel> kernels = {Kernel("norm(sst(t))"), Kernel("norm(pt(t))")};
  TuneOptions tuning;
  tuning.costs = {0.3, 1, 3};
  const auto matrix = tune(kernels, data, with(SvmSolver::matrix), tuning);
  const auto other =
      tune(kernels, data, with(SvmSolver::working_set), tuning, test::working(1, 16 * 20 * 20));
  ASSERT_EQ(matrix.size(), other.size());
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    EXPECT_NEAR(matrix[k].score.mean, other[k].score.mean, 1e-9) << k;
  }
}

TEST(WorkingSetModel, IsKeptUnfinishedOnRequest) {
  const Dataset data = toy_classes({.count = 200, .seed = 5}, 3);
  std::size_t calls = 0;
  Context context = test::working(1, 16 * 20 * 20);
  std::size_t rounds = 0;
  context.status = [&](std::string_view) { ++rounds; };
  context.cancelled = [&] { return rounds > 2 && ++calls > 1; };
  const TrainOptions options = with(SvmSolver::working_set);
  EXPECT_THROW(train(Kernel("norm(sst(t))"), data, options, context), Cancelled);
  calls = rounds = 0;
  const Model model =
      train(Kernel("norm(sst(t))"), data, options, context, {.keep_unfinished = true});
  EXPECT_FALSE(model.training.converged);
  EXPECT_GT(model.training.support_vectors, 0U);
  EXPECT_EQ(predict(model, data).classes.size(), data.size());
}

/// Real data: the objectives of all binary problems.
TEST(SlowWorkingSetModel, HasTheObjectiveOfTheMatrixOnArguments) {
  const std::string path = test::shared_data("propbank_arguments.train.tsv.gz");
  ESPALIER_NEEDS_DATA(path);
  const Dataset all = read(path);
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < all.size(); i += 66) some.push_back(i);
  const Dataset data = all.select(some);
  const Kernel kernel("norm(sst(lambda=0.4))");
  std::vector<double> objectives[2];
  for (const auto solver : {SvmSolver::matrix, SvmSolver::working_set}) {
    const Model model = train(kernel, data, with(solver, 1e-4), test::working(2, 64 << 20));
    ASSERT_TRUE(model.training.converged);
    for (const DecisionFunction& f : std::get<Classification>(model.decision).classifiers.functions)
      objectives[solver == SvmSolver::matrix ? 0 : 1].push_back(f.objective);
  }
  for (std::size_t m = 0; m < objectives[0].size(); ++m) {
    EXPECT_NEAR(objectives[1][m], objectives[0][m], 1e-6 * std::abs(objectives[0][m])) << m;
  }
}

}  // namespace
}  // namespace espalier
