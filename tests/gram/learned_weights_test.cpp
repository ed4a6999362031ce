#include <gtest/gtest.h>

#include "espalier/engine/discriminance.hpp"
#include "espalier/gram/gram.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "support/failure.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

/// Two trees of each of three classes; tests/kernel/discriminance_test.cpp has their weights.
Dataset sample_data() {
  return test::dataset_of({"(r(a)(b))", "(r(b)(a))", "(r(a))", "(r(c))", "(r(d(a)))", "(r(d(a)))"});
}

ClassLists sample_classes() {
  ClassLists out(3);
  for (const std::uint32_t c : {0U, 0U, 1U, 1U, 2U, 2U}) out.add(c);
  return out;
}

FittedKernel learned(const char* expression, const Dataset& data) {
  const std::vector<std::uint32_t> all = {0, 1, 2, 3, 4, 5};
  return learn_weights(Kernel(expression), data, all, sample_classes());
}

TEST(LearnedWeights, MakeTheKernel) {
  const Dataset data = sample_data();
  const Matrix<double> found = gram(learned("st(weight=discriminance, f=identity)", data), data);
  EXPECT_NEAR(found(0, 0), 0.5 + 1 + 0.5, 1e-15);  // a, b, the root
  EXPECT_NEAR(found(0, 1), 0.5 + 1, 1e-15);        // a, b
  EXPECT_NEAR(found(0, 4), 0.5, 1e-15);            // a
  EXPECT_NEAR(found(4, 5), 0.5 + 1 + 1, 1e-15);    // a, d(a), the root
  EXPECT_EQ(found(0, 3), 0);
  const Matrix<double> unordered =
      gram(learned("st(weight=discriminance, f=identity, unordered=true)", data), data);
  EXPECT_NEAR(unordered(0, 1), 0.5 + 1 + 1, 1e-15);
}

TEST(LearnedWeights, KnowNothingOfSubtreesThatWereNotSeen) {
  const Dataset data = sample_data();
  const FittedKernel kernel = learned("st(weight=discriminance)", data);
  const Dataset other = test::dataset_of({"(q(b))", "(q(x))"});
  const Matrix<double> found = gram(kernel, other, data);
  EXPECT_EQ(found(0, 0), 1);  // b
  EXPECT_EQ(found(1, 0), 0);
  EXPECT_EQ(gram(kernel, other)(1, 1), 0);
}

TEST(LearnedWeights, LeaveZeroNormsAtZero) {
  const Dataset data = sample_data();
  const FittedKernel kernel = learned("norm(st(weight=discriminance))", data);
  const Dataset other = test::dataset_of({"(q(b))", "(q(x))"});
  const Matrix<double> found = gram(kernel, other);
  EXPECT_EQ(found(0, 0), 1);
  EXPECT_EQ(found(1, 1), 0);
}

TEST(LearnedWeights, AreNeeded) {
  const Dataset data = sample_data();
  EXPECT_TRUE(needs_learning(Kernel("2*norm(st(weight=discriminance)) + sst()")));
  EXPECT_FALSE(needs_learning(Kernel("st() + sst()")));
  EXPECT_FALSE(needs_learning(learned("st(weight=discriminance)", data)));
  EXPECT_TRUE(test::fails_with("there are none yet",
                               [&] { gram(Kernel("st(weight=discriminance)"), data); }));
  EXPECT_TRUE(test::fails_with("one tree of each example",
                               [&] { learned("pair(st(weight=discriminance))", data); }));
  EXPECT_EQ(learning_fraction(Kernel("st(weight=discriminance, fraction=0.25)")), 0.25);
  EXPECT_EQ(learning_fraction(Kernel("st()")), 0);
}

TEST(LearnedWeights, AreSavedWithTheFunctions) {
  const Dataset data = sample_data();
  for (const char* expression :
       {"st(weight=discriminance)", "norm(st(weight=discriminance, unordered=true)) + 0.5*sst()",
        "norm(st(weight=discriminance)) * sst()"}) {
    KernelFunctions functions(learned(expression, data));
    Matrix<double> coefficients(2, data.size());
    for (std::size_t i = 0; i < 2 * data.size(); ++i) {
      coefficients.data()[i] = static_cast<double>(i) - 4.5;
    }
    functions.add(data, coefficients);
    const KernelFunctions loaded = KernelFunctions::load(functions.save());
    EXPECT_FALSE(needs_learning(loaded.kernel()));
    const Dataset other = test::dataset_of({"(q(b))", "(r(d(a))(b))", "(x)"});
    const Matrix<double> expected = functions(other);
    const Matrix<double> found = loaded(other);
    const Matrix<double> kernels = gram(functions.kernel(), other, data);
    for (std::size_t i = 0; i < other.size(); ++i) {
      for (std::size_t o = 0; o < 2; ++o) {
        EXPECT_EQ(found(i, o), expected(i, o));
        double sum = 0;
        for (std::size_t k = 0; k < data.size(); ++k) sum += coefficients(o, k) * kernels(i, k);
        EXPECT_NEAR(found(i, o), sum, 1e-12) << expression;
      }
    }
  }
}

}  // namespace
}  // namespace espalier
