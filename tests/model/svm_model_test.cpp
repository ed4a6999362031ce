// SVM models: the weighted forest gives the same values as the sum over support vectors.
#include <gtest/gtest.h>

#include <cmath>

#include "espalier/model/train.hpp"
#include "model/toy_data.hpp"
#include "support/cases.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::Toy;
using test::toy_classes;

/// The decision functions of train(), and the kernels to evaluate them with.
struct Explicit {
  Explicit(const Kernel& kernel, const Dataset& train, const Dataset& test,
           const TrainOptions& options)
      : matrix(gram<float>(kernel, train)),
        kernels(gram(kernel, test, train)),
        trained(train_decision_functions(GramView(matrix), make_targets(train, options.task),
                                         options)) {}

  std::size_t classifiers() const { return trained.classifiers.functions.size(); }
  /// f(x), and the sum of the sizes of its terms.
  std::pair<double, double> value(std::size_t row, std::size_t function) const {
    const DecisionFunction& m = trained.classifiers.functions[function];
    double value = m.bias, size = std::abs(m.bias);
    for (const SupportVector& s : m.support_vectors) {
      value += s.coefficient * kernels(row, s.example);
      size += std::abs(s.coefficient * kernels(row, s.example));
    }
    return {value, size};
  }

  Matrix<float> matrix;
  Matrix<double> kernels;
  TrainedDecisionFunctions trained;
};

/// What to learn, from data of its own.
struct Job : test::Row {
  Dataset train;
  Dataset test;
  TrainOptions options;
};

std::vector<Job> all_jobs() {
  const Toy toy{.count = 36, .seed = 1, .kinds = 4, .pairs = true};
  const Toy other{.count = 25, .seed = 2, .kinds = 5, .pairs = true};
  const Dataset classes = toy_classes(toy), unseen = toy_classes(other);
  const Dataset two = toy_classes({.count = 30, .seed = 3, .kinds = 2, .pairs = true}, 5);
  TrainOptions rest, pairs, one_class, likely;
  pairs.classifier.multi_class = MultiClass::one_vs_one;
  one_class.task = Task::one_class;
  one_class.nu = 0.3;
  likely.probabilities = true;
  std::vector<Job> out;
  out.push_back({{"rest"}, classes, unseen, rest});
  out.push_back({{"pairs"}, classes, unseen, pairs});
  out.push_back({{"two"}, two, unseen, likely});
  out.push_back({{"several"}, toy_several(toy), unseen, rest});
  out.push_back({{"numbers"}, toy_numbers(toy), unseen, rest});
  out.push_back({{"one_class"}, classes, unseen, one_class});
  return out;
}

struct Case : test::Row {
  const char* expression;
  bool keeps_examples;
};

class SvmModel : public testing::TestWithParam<Case> {};

TEST_P(SvmModel, IsTheSumOverSupportVectors) {
  const Kernel kernel(GetParam().expression);
  for (const Job& job : all_jobs()) {
    SCOPED_TRACE(job.name);
    const Model model = train(kernel, job.train, job.options);
    const Explicit sum(kernel, job.train, job.test, job.options);
    ASSERT_EQ(model.functions.outputs(), sum.classifiers());
    const Matrix<double> values = decision_values(model, job.test);
    Matrix<double> expected(job.test.size(), sum.classifiers());
    double largest = 0;
    for (std::size_t i = 0; i < job.test.size(); ++i) {
      for (std::size_t m = 0; m < sum.classifiers(); ++m) {
        const auto [value, size] = sum.value(i, m);
        EXPECT_NEAR(values(i, m), value, 1e-9 * size) << i << ", machine " << m;
        expected(i, m) = value;
        largest = std::max(largest, size);
      }
    }
    const Predictions got = predict(model, job.test), wanted = decide(model.decision, expected);
    EXPECT_EQ(got.classes, wanted.classes);
    ASSERT_EQ(got.scores.columns(), wanted.scores.columns());
    for (std::size_t k = 0; k < got.scores.rows() * got.scores.columns(); ++k) {
      EXPECT_NEAR(got.scores.data()[k], wanted.scores.data()[k], 1e-9 * largest);
    }
    if (const auto* decision = std::get_if<Classification>(&model.decision)) {
      EXPECT_EQ(decision->probabilities, sum.trained.probabilities);
    }
    EXPECT_EQ(model.functions.summary().support_vectors > 0, GetParam().keeps_examples);
  }
}

TEST_P(SvmModel, IsBitIdenticalForAnyThreads) {
  const Kernel kernel(GetParam().expression);
  const Dataset data = toy_classes({.count = 30, .seed = 4, .kinds = 3, .pairs = true});
  const Matrix<double> one = predict(train(kernel, data, {}, test::working(1)), data).scores;
  EXPECT_TRUE(
      test::identical(predict(train(kernel, data, {}, test::working(3)), data).scores, one));
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, SvmModel,
    testing::Values(Case{{"sst"}, "sst(t)", false}, Case{{"pt"}, "pt(t)", false},
                    Case{{"st"}, "st(t)", false}, Case{{"norm"}, "norm(sst(t))", false},
                    Case{{"sum"}, "norm(pt(t)) + 0.5*norm(linear(v)) + 0.25", false},
                    Case{{"sparse"}, "linear(v)", false}, Case{{"dense"}, "linear(d)", false},
                    Case{{"rbf"}, "rbf(d, gamma=0.5)", true},
                    Case{{"pair"}, "norm(pair(sst(t)))", false},
                    Case{{"cross"}, "cross(norm(sst(t)))", false},
                    Case{{"product"}, "norm(sst(t))*norm(linear(v)) + norm(pt(u))", true},
                    Case{{"pairproduct"}, "pairproduct(norm(sst(t)))", true},
                    Case{{"each"}, "each(norm(sst()))", false}),
    test::RowName());

// --- The conditions of the optimum, on the scores of the training data ---------------------------

/// That of the solver, and the rounding of its matrix to float.
constexpr double slack = 1.001e-3 + 1e-5;

TEST(SvmOptimum, SvcSatisfiesKktConditions) {
  const Dataset data = toy_classes({.count = 80, .seed = 5, .kinds = 2}, 4);
  TrainOptions options;
  options.classifier.cost = 0.7;
  options.class_weight.weights = {{"k1", 2}};
  const Model model = train(Kernel(test::usual), data, options);
  const Explicit sum(Kernel(test::usual), data, data, options);
  const Targets targets = make_targets(data);
  const Predictions predictions = predict(model, data);
  std::vector<double> coefficients(data.size(), 0);
  for (const SupportVector& s : sum.trained.classifiers.functions[0].support_vectors) {
    coefficients[s.example] = s.coefficient;
  }
  int outside = 0, on = 0, inside = 0;
  double balance = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint32_t c = targets.classes[i][0];
    const double margin = predictions.scores(i, c);
    EXPECT_DOUBLE_EQ(predictions.scores(i, 1 - c), -margin);
    const double cost = targets.names[c] == "k1" ? 1.4 : 0.7;
    const double a = c == 0 ? coefficients[i] : -coefficients[i];
    EXPECT_TRUE(a >= 0 && a <= cost) << a;
    if (a < cost) {
      EXPECT_GE(margin, 1 - slack);
    }
    if (a > 0) {
      EXPECT_LE(margin, 1 + slack);
    }
    (a == 0 ? outside : a < cost ? on : inside) += 1;
    balance += coefficients[i];
  }
  EXPECT_NEAR(balance, 0, 1e-9);
  EXPECT_TRUE(outside > 3 && on > 3 && inside > 3) << outside << " " << on << " " << inside;
}

TEST(SvmOptimum, SvrSatisfiesKktConditions) {
  const Dataset data = test::toy_numbers({.count = 80, .seed = 6});
  TrainOptions options;
  options.classifier.cost = 0.2;
  options.epsilon = 0.15;
  const Predictions predictions = predict(train(Kernel(test::usual), data, options), data);
  const Explicit sum(Kernel(test::usual), data, data, options);
  const Targets targets = make_targets(data);
  std::vector<double> coefficients(data.size(), 0);
  for (const SupportVector& s : sum.trained.classifiers.functions[0].support_vectors) {
    coefficients[s.example] = s.coefficient;
  }
  int inside = 0, on = 0, outside = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double a = coefficients[i];
    const double error = targets.numbers[i] - predictions.scores(i, 0);
    EXPECT_LE(std::abs(a), 0.2);
    if (std::abs(a) < 0.2) {
      EXPECT_LE(std::abs(error), 0.15 + slack);
    }
    if (a > 0) {
      EXPECT_GE(error, 0.15 - slack);
    }
    if (a < 0) {
      EXPECT_LE(error, -0.15 + slack);
    }
    (a == 0 ? inside : std::abs(a) < 0.2 ? on : outside) += 1;
  }
  EXPECT_TRUE(inside > 3 && on > 3 && outside > 3) << inside << " " << on << " " << outside;
}

TEST(SvmOptimum, NuBoundsTheFractionOfOutliers) {
  const Dataset data = toy_classes({.count = 80, .seed = 7});
  TrainOptions options;
  options.task = Task::one_class;
  options.nu = 0.5;
  const Predictions predictions = predict(train(Kernel(test::usual), data, options), data);
  const Explicit sum(Kernel(test::usual), data, data, options);
  std::vector<double> coefficients(data.size(), 0);
  double all = 0;
  for (const SupportVector& s : sum.trained.classifiers.functions[0].support_vectors) {
    coefficients[s.example] = s.coefficient;
    all += s.coefficient;
  }
  EXPECT_NEAR(all, 40, 1e-9);
  int below = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double f = predictions.scores(i, 0);
    if (coefficients[i] < 1) {
      EXPECT_GE(f, -slack);
    }
    if (coefficients[i] > 0) {
      EXPECT_LE(f, slack);
    }
    below += f < -slack ? 1 : 0;
  }
  EXPECT_TRUE(below > 9 && below <= 40) << below;
  EXPECT_TRUE(predictions.classes.empty());
  // Something else altogether is outside.
  const Dataset strange = test::dataset_of({"(q(w)(e))"});
  Dataset other;
  other.add(test::ExampleOf(strange.example(0)).vector("v", test::sparse({{"q", 1}})));
  EXPECT_LT(predict(train(Kernel(test::usual), data, options), other).scores(0, 0), -0.1);
}

}  // namespace
}  // namespace espalier
