// Online models.
#include "espalier/learn/online.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/model/train.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::part_of;
using test::toy_classes;
using test::toy_numbers;

TrainOptions learner(Learner which) { return {.learner = which}; }

/// One pass over the examples as they stand.
TrainOptions one_pass(Learner which = Learner::passive_aggressive) {
  TrainOptions out = learner(which);
  out.epochs = 1;
  out.shuffle = false;
  return out;
}

/// Reference implementation: the whole Gram matrix, and a sum over all examples so far.
struct Plain {
  Plain(const Kernel& kernel, const Dataset& data, const TrainOptions& options)
      : coefficients(0, 0) {
    const Matrix<double> kernels = gram(kernel, data);
    const Targets targets = make_targets(data, options.task);
    const bool numbers = targets.task == Task::regression;
    const std::size_t outputs = numbers ? 1 : targets.names.size();
    OnlineOptions rule = options.online;
    if (options.learner == Learner::perceptron) rule.rule = OnlineRule::perceptron;
    coefficients = Matrix<double>(outputs, data.size());
    std::fill_n(coefficients.data(), outputs * data.size(), 0.0);
    for (std::size_t i = 0; i < data.size(); ++i) {
      std::vector<double> scores(outputs, 0);
      for (std::size_t o = 0; o < outputs; ++o) {
        for (std::size_t j = 0; j < i; ++j) scores[o] += coefficients(o, j) * kernels(i, j);
      }
      const auto updates =
          numbers
              ? update_number(scores[0], targets.numbers[i], options.epsilon, kernels(i, i), rule)
              : update_classes(scores, targets.classes[i], kernels(i, i), rule);
      for (const auto& [output, coefficient] : updates) coefficients(output, i) += coefficient;
      updated += updates.empty() ? 0 : 1;
    }
  }
  Matrix<double> scores(const Kernel& kernel, const Dataset& data, const Dataset& test) const {
    const Matrix<double> kernels = gram(kernel, test, data);
    Matrix<double> out(test.size(), coefficients.rows());
    for (std::size_t i = 0; i < out.rows(); ++i) {
      for (std::size_t o = 0; o < out.columns(); ++o) {
        out(i, o) = 0;
        for (std::size_t j = 0; j < data.size(); ++j) {
          out(i, o) += coefficients(o, j) * kernels(i, j);
        }
      }
    }
    return out;
  }
  Matrix<double> coefficients;
  std::size_t updated = 0;
};

void expect_near(const Matrix<double>& a, const Matrix<double>& b, double tolerance = 1e-9) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.columns(), b.columns());
  double largest = 0;
  for (std::size_t k = 0; k < a.rows() * a.columns(); ++k) {
    largest = std::max(largest, std::abs(b.data()[k]));
  }
  EXPECT_GT(largest, 0);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) {
      ASSERT_NEAR(a(i, j), b(i, j), tolerance * largest) << i << ", " << j;
    }
  }
}

TEST(OnlineModel, LearnsASeparableProblem) {
  const Dataset data = toy_classes({.count = 80, .seed = 1, .kinds = 4}, 1'000'000);
  const Dataset unseen = toy_classes({.count = 50, .seed = 2, .kinds = 4}, 1'000'000);
  for (const auto which : {Learner::perceptron, Learner::passive_aggressive}) {
    const Model model = train(Kernel(test::usual), data, learner(which));
    EXPECT_EQ(test::accuracy(model, data), 1);
    EXPECT_GT(test::accuracy(model, unseen), 0.9);
    EXPECT_EQ(model.training.learner, which == Learner::perceptron ? "perceptron" : "pa");
    EXPECT_EQ(model.training.examples, 80U);
    EXPECT_TRUE(model.training.iterations > 3 && model.training.iterations < 400);
  }
}

TEST(OnlineModel, MatchesLearningOneByOne) {
  const Dataset unseen = toy_classes({.count = 30, .seed = 4});
  for (const char* expression : {test::usual, "pt(t)", "rbf(d)", "norm(sst(t))*norm(linear(v))"}) {
    const Kernel kernel(expression);
    for (const auto which : {Learner::perceptron, Learner::passive_aggressive}) {
      for (const Dataset& data : {toy_classes({.count = 60, .seed = 3}, 4),
                                  test::toy_several({.count = 60, .seed = 3})}) {
        SCOPED_TRACE(expression);
        const Plain plain(kernel, data, one_pass(which));
        const Model model = train(kernel, data, one_pass(which));
        EXPECT_EQ(model.training.iterations, plain.updated);
        expect_near(predict(model, unseen).scores, plain.scores(kernel, data, unseen));
      }
    }
  }
}

TEST(OnlineModel, IsTheSameAcrossBatches) {
  // Batches are of 512 examples. The last one is a single example, or what is left of a half.
  const Kernel kernel("norm(sst(t)) + 0.5*linear(d)");
  for (const std::size_t count : {1025UL, 1700UL}) {
    const Dataset data = toy_classes({.count = count, .seed = 5}, 4);
    const Plain plain(kernel, data, one_pass());
    const Dataset unseen = toy_classes({.count = 20, .seed = 6});
    const Model model = train(kernel, data, one_pass());
    EXPECT_EQ(model.training.iterations, plain.updated);
    expect_near(predict(model, unseen).scores, plain.scores(kernel, data, unseen));
  }
}

TEST(OnlineModel, IsBitIdenticalForAnyThreads) {
  const Dataset data = toy_classes({.count = 1100, .seed = 5}, 4);
  for (const auto which : {Learner::perceptron, Learner::passive_aggressive}) {
    TrainOptions options = learner(which);
    options.epochs = 2;
    const auto bytes = [&](std::size_t threads) {
      return model_bytes(train(Kernel("norm(pt(t))"), data, options, {.threads = threads}));
    };
    const std::string one = bytes(1);
    EXPECT_EQ(bytes(2), one);
    EXPECT_EQ(bytes(3), one);
  }
}

TEST(OnlineModel, HandlesBatchesWithMissingTrees) {
  Dataset data = part_of(toy_classes({.count = 511, .seed = 7}), 0, 511);
  data.add(test::ExampleOf().label("k0").tree("t", "(r)").vector("v", test::sparse({{"x", 1}})));
  data.add(test::ExampleOf().label("k1").tree("t", "(r(k1(z)))"));
  const Kernel kernel("norm(sst(t)) + norm(linear(v)) + rbf(v)");
  const Plain plain(kernel, data, one_pass());
  const Dataset unseen = toy_classes({.count = 20, .seed = 8});
  expect_near(predict(train(kernel, data, one_pass()), unseen).scores,
              plain.scores(kernel, data, unseen));
}

TEST(OnlineModel, ContinuedTrainingMatchesTrainingAtOnce) {
  const Kernel kernel("norm(sst(t)) + 0.5*norm(linear(v)) + rbf(d)");
  const Dataset data = toy_classes({.count = 560, .seed = 9}, 4);
  const Dataset unseen = toy_classes({.count = 20, .seed = 10});
  for (const auto which : {Learner::perceptron, Learner::passive_aggressive}) {
    const Model whole = train(kernel, data, one_pass(which));
    for (const std::size_t cut : {20UL, 530UL}) {
      Model parts = train(kernel, part_of(data, 0, cut), one_pass(which));
      continue_training(parts, part_of(data, cut, 560), one_pass());
      ASSERT_EQ(parts.classes(), whole.classes());
      expect_near(predict(parts, unseen).scores, predict(whole, unseen).scores);
      EXPECT_EQ(parts.training.examples, 560U);
      const auto& got = std::get<Classification>(parts.decision).classifiers;
      const auto& expected = std::get<Classification>(whole.decision).classifiers;
      EXPECT_EQ(got.class_sizes, expected.class_sizes);
      EXPECT_EQ(got.problems, expected.problems);
    }
  }
}

TEST(OnlineModel, ContinuedTrainingAddsClasses) {
  Dataset first;
  const Dataset all = toy_classes({.count = 90, .seed = 11}, 1'000'000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.example(i).labels[0].name != "k2") first.add(all.example(i));
  }
  for (const std::uint64_t budget : {0U, 60U}) {
    TrainOptions options = learner(Learner::passive_aggressive);
    options.budget = budget;
    Model model = train(Kernel(test::usual), first, options);
    EXPECT_EQ(model.classes().size(), 2U);
    EXPECT_LT(test::accuracy(model, all), 0.8);
    continue_training(model, all, options);
    ASSERT_EQ(model.classes().size(), 3U);
    EXPECT_EQ(model.classes()[2], "k2");
    EXPECT_EQ(model.functions.outputs(), 3U);
    EXPECT_GT(test::accuracy(model, all), 0.95);
  }
}

TEST(OnlineModel, AcceptsUnlabelledExamplesInMultiLabelData) {
  const Dataset data = test::toy_several({.count = 60, .seed = 12});
  Model model = train(Kernel(test::usual), data, one_pass());
  Dataset more;
  more.add(test::ExampleOf().label("one").tree("t", "(r)").vector("v", test::sparse({{"x", 1}})));
  more.add(test::ExampleOf().tree("t", "(r)"));
  EXPECT_NO_THROW(continue_training(model, more, one_pass()));
  EXPECT_TRUE(model.multi_label());
  Model single = train(Kernel(test::usual), toy_classes({.count = 20, .seed = 12}), one_pass());
  EXPECT_TRUE(fails_with("has no label", [&] { continue_training(single, more, one_pass()); }));
}

TEST(OnlineModel, RespectsItsBudget) {
  const Dataset data = toy_classes({.count = 100, .seed = 13}, 5);
  const Dataset unseen = toy_classes({.count = 50, .seed = 14}, 1'000'000);
  for (const auto which : {Learner::perceptron, Learner::passive_aggressive}) {
    TrainOptions options = learner(which);
    options.epochs = 2;
    const Model free = train(Kernel(test::usual), data, options);
    EXPECT_GT(free.training.iterations, 20U);
    for (const std::uint64_t budget : {1U, 20U}) {
      options.budget = budget;
      Model model = train(Kernel(test::usual), data, options);
      for (int again = 0; again < 2; ++again) {
        EXPECT_LE(model.online()->support_vectors.size(), budget);
        EXPECT_EQ(model.training.support_vectors, model.online()->support_vectors.size());
        // Only the kept support vectors contribute.
        const Matrix<double> kernels =
            gram(Kernel(test::usual), unseen, model.online()->support_vectors);
        Matrix<double> sums(unseen.size(), 3);
        for (std::size_t i = 0; i < sums.rows(); ++i) {
          for (std::size_t o = 0; o < 3; ++o) {
            sums(i, o) = 0;
            for (std::size_t s = 0; s < kernels.columns(); ++s) {
              sums(i, o) += model.online()->coefficients[s][o] * kernels(i, s);
            }
          }
        }
        expect_near(predict(model, unseen).scores, sums);
        EXPECT_GT(test::accuracy(model, unseen), budget == 1 ? 0.2 : 0.5);
        continue_training(model, data, options);
      }
    }
  }
}

TEST(OnlineModel, UnreachedBudgetChangesNothing) {
  const Dataset data = toy_classes({.count = 600, .seed = 15}, 4);
  const Dataset unseen = toy_classes({.count = 20, .seed = 16});
  TrainOptions options = one_pass();
  const Matrix<double> free = predict(train(Kernel(test::usual), data, options), unseen).scores;
  options.budget = 600;
  const Model model = train(Kernel(test::usual), data, options);
  expect_near(predict(model, unseen).scores, free);
  EXPECT_EQ(model.online()->support_vectors.size(), model.training.iterations);
}

/// Reference implementation of a budget: all kernels; drops the smallest support vector.
Matrix<double> plain_with_budget(const Kernel& kernel, const Dataset& data, std::size_t budget) {
  const Matrix<double> kernels = gram(kernel, data);
  const Targets targets = make_targets(data);
  const std::size_t outputs = targets.names.size();
  Matrix<double> c(outputs, data.size());
  std::fill_n(c.data(), outputs * data.size(), 0.0);
  const auto size_of = [&](std::size_t j) {
    double sum = 0;
    for (std::size_t o = 0; o < outputs; ++o) sum += c(o, j) * c(o, j);
    return std::sqrt(sum) * std::sqrt(kernels(j, j));
  };
  for (std::size_t i = 0; i < data.size(); ++i) {
    std::vector<double> scores(outputs, 0);
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t j = 0; j < i; ++j) scores[o] += c(o, j) * kernels(i, j);
    }
    for (const auto& [output, coefficient] :
         update_classes(scores, targets.classes[i], kernels(i, i))) {
      c(output, i) += coefficient;
    }
    std::size_t count = 0, weakest = data.size();
    for (std::size_t j = 0; j <= i; ++j) {
      if (size_of(j) == 0) continue;
      ++count;
      if (weakest == data.size() || size_of(j) < size_of(weakest)) weakest = j;
    }
    if (count > budget) {
      for (std::size_t o = 0; o < outputs; ++o) c(o, weakest) = 0;
    }
  }
  return c;
}

TEST(OnlineModel, DropsTheSmallestSupportVector) {
  const Kernel kernel("sst(t) + linear(d)");
  const Dataset data = toy_classes({.count = 530, .seed = 17}, 5);
  const Dataset unseen = toy_classes({.count = 20, .seed = 18});
  const Matrix<double> kernels = gram(kernel, unseen, data);
  const Matrix<double> c = plain_with_budget(kernel, data, 12);
  Matrix<double> sums(unseen.size(), c.rows());
  for (std::size_t i = 0; i < sums.rows(); ++i) {
    for (std::size_t o = 0; o < sums.columns(); ++o) {
      sums(i, o) = 0;
      for (std::size_t j = 0; j < data.size(); ++j) sums(i, o) += c(o, j) * kernels(i, j);
    }
  }
  TrainOptions options = one_pass();
  options.budget = 12;
  Model model = train(kernel, data, options);
  expect_near(predict(model, unseen).scores, sums);
  Model parts = train(kernel, part_of(data, 0, 200), options);
  continue_training(parts, part_of(data, 200, 530), options);
  expect_near(predict(parts, unseen).scores, sums);
}

TEST(OnlineModel, TrainsRegression) {
  const Kernel kernel(test::usual);
  const Dataset data = toy_numbers({.count = 80, .seed = 19});
  TrainOptions options = one_pass();
  options.epsilon = 0.25;
  const Plain plain(kernel, data, options);
  expect_near(predict(train(kernel, data, options), data).scores, plain.scores(kernel, data, data));
  options.epochs = 15;
  options.shuffle = true;
  for (const std::uint64_t budget : {0U, 70U}) {
    options.budget = budget;
    const Model model = train(kernel, data, options);
    const Matrix<double> scores = predict(model, data).scores;
    const Targets targets = make_targets(data);
    double error = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
      error += std::abs(scores(i, 0) - targets.numbers[i]) / 80;
    }
    EXPECT_LT(error, 0.3);
  }
}

TEST(OnlineModel, HandlesABudgetWithoutUpdates) {
  Dataset data;
  for (int i = 0; i < 3; ++i) {
    data.add(test::ExampleOf().label(test::number(0.01 * i)).tree("t", "(r(x))"));
  }
  for (const std::uint64_t budget : {0U, 5U}) {
    TrainOptions options = one_pass();
    options.budget = budget;
    Model model = train(Kernel("sst()"), data, options);
    EXPECT_EQ(predict(model, data).scores(2, 0), 0);
    continue_training(model, data, options);
    EXPECT_EQ(model.training.iterations, 0U);
  }
}

TEST(OnlineModel, SeedDeterminesTheOrder) {
  const Dataset data = toy_classes({.count = 60, .seed = 20}, 3);
  TrainOptions options = learner(Learner::perceptron);
  const Matrix<double> first = predict(train(Kernel(test::usual), data, options), data).scores;
  EXPECT_TRUE(
      test::identical(predict(train(Kernel(test::usual), data, options), data).scores, first));
  EXPECT_TRUE(test::identical(
      predict(train(Kernel(test::usual), data, options, test::working(3)), data).scores, first));
  options.seed = 2;
  EXPECT_FALSE(
      test::identical(predict(train(Kernel(test::usual), data, options), data).scores, first));
}

TEST(OnlineModel, NeedsNoGramMatrix) {
  const Dataset data = toy_classes({.count = 600, .seed = 21}, 4);
  const Context little = test::working(1, 4 * 600 * 600 - 1);
  EXPECT_THROW(train(Kernel("linear(d)"), data, {.solver = SvmSolver::matrix}, little), Error);
  EXPECT_NO_THROW(train(Kernel("linear(d)"), data, one_pass(), little));
}

TEST(OnlineModel, RejectsUnsupportedTasks) {
  const Dataset numbers = toy_numbers({.count = 10, .seed = 22});
  const Dataset classes = toy_classes({.count = 10, .seed = 22});
  EXPECT_TRUE(fails_with("perceptron is a classifier",
                         [&] { train(Kernel("sst(t)"), numbers, learner(Learner::perceptron)); }));
  TrainOptions one_class = learner(Learner::passive_aggressive);
  one_class.task = Task::one_class;
  EXPECT_TRUE(fails_with("online learners cannot train a one-class model",
                         [&] { train(Kernel("sst(t)"), classes, one_class); }));
  Model svm = train(Kernel("sst(t)"), classes);
  EXPECT_TRUE(
      fails_with("'svm' cannot continue training", [&] { continue_training(svm, classes); }));
  Model pa = train(Kernel("sst(t)"), classes, one_pass());
  EXPECT_TRUE(fails_with("no trees", [&] {
    Dataset other;
    other.add(test::ExampleOf().label("k0").vector("v", test::sparse({{"x", 1}})));
    continue_training(pa, other, one_pass());
  }));
}

}  // namespace
}  // namespace espalier
