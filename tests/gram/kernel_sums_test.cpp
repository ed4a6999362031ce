// Sums of kernels between the examples of one data set, against the Gram matrix.
#include "gram/kernel_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "espalier/gram/gram.hpp"
#include "support/examples.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

/// Pairs with trees and vectors on all levels; some trees are lacking.
Dataset random_data(std::size_t count, std::uint32_t seed) {
  test::Random random(seed);
  const auto number = [&] { return static_cast<double>(random.below(200)) / 64 - 1; };
  const auto tree = [&] {
    return test::to_tree(test::random_shape(random, 1 + random.below(20), 3));
  };
  Dataset out;
  for (std::size_t i = 0; i < count; ++i) {
    test::ExampleOf whole;
    if (!random.one_in(9)) whole.tree("t", tree());
    if (!random.one_in(9)) whole.tree("u", tree());
    whole.vector("v", test::sparse({{"x", number()}, {"y", number()}}));
    Example example = whole;
    for (int m = 0; m < 2; ++m) {
      test::ExampleOf member;
      member.tree("t", tree());
      example.members.push_back(member);
    }
    out.add(example);
  }
  return out;
}

class SumsOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Kernels, SumsOf,
                         testing::Values("sst(t)", "norm(sst(t, lambda=0.3))", "norm(pt(t))",
                                         "subpath(t)", "norm(st(u))", "st(t, unordered=true)",
                                         "2*norm(sst(t)) + norm(pt(u)) + 1", "each(norm(sst()))",
                                         "all(sst())", "cross(norm(sst(t)))", "pair(norm(pt(t)))",
                                         "linear(v)", "norm(sst(t)) + cosine(v)",
                                         "norm(sst(t)) * norm(pt(u))", "rbf(v)",
                                         "norm(dtk(t, dim=64))"));

TEST_P(SumsOf, EqualThoseOverTheMatrix) {
  const Dataset data = random_data(60, 1);
  const FittedKernel kernel{Kernel(GetParam())};
  const Matrix<double> kernels = gram(kernel, data);
  test::Random random(2);
  for (const std::size_t threads : {1, 2}) {
    Context context;
    context.threads = threads;
    KernelSums sums(kernel, data, context);
    for (int call = 0; call < 4; ++call) {
      std::vector<std::uint32_t> examples, targets;
      for (std::uint32_t i = 0; i < data.size(); ++i) {
        if (random.one_in(3)) examples.push_back(i);
        // The targets of two calls each are the same.
        if (call < 2 || i % 3 == 1) targets.push_back(i);
      }
      // More outputs than are summed side by side.
      Matrix<double> coefficients(call % 2 == 0 ? 3 : 11, examples.size());
      for (std::size_t k = 0; k < coefficients.rows() * coefficients.columns(); ++k) {
        coefficients.data()[k] =
            random.one_in(4) ? 0 : static_cast<double>(random.below(2000)) / 500 - 2;
      }
      const Matrix<double> out = sums(examples, coefficients, targets, context);
      ASSERT_EQ(out.rows(), targets.size());
      for (std::size_t i = 0; i < targets.size(); ++i) {
        for (std::size_t o = 0; o < coefficients.rows(); ++o) {
          double value = 0, size = 0;
          for (std::size_t k = 0; k < examples.size(); ++k) {
            const double term = coefficients(o, k) * kernels(targets[i], examples[k]);
            value += term;
            size += std::abs(term);
          }
          EXPECT_NEAR(out(i, o), value, 1e-12 * size) << targets[i] << " " << o;
        }
      }
    }
  }
}

/// Some examples have self-kernels beyond a double: those of the others need not.
TEST(KernelSums, ComputeWhatOverflowsADouble) {
  Dataset data;
  for (int i = 0; i < 6; ++i) {
    std::string text = "(a(b))";
    for (int k = 0; k < (i % 2 == 0 ? 1200 + i : 3 + i); ++k) text = "(a" + text + "(a(b)))";
    data.add(test::ExampleOf().tree("t", text));
  }
  const FittedKernel kernel{Kernel("norm(sst(t, lambda=1))")};
  const Matrix<double> kernels = gram(kernel, data);
  KernelSums sums(kernel, data, {});
  std::vector<std::uint32_t> all(data.size());
  std::iota(all.begin(), all.end(), 0U);
  Matrix<double> coefficients(1, all.size());
  for (std::size_t k = 0; k < all.size(); ++k) coefficients(0, k) = 1.0 + static_cast<double>(k);
  const Matrix<double> out = sums(all, coefficients, all, {});
  for (std::size_t i = 0; i < all.size(); ++i) {
    double value = 0;
    for (std::size_t k = 0; k < all.size(); ++k) value += coefficients(0, k) * kernels(i, k);
    EXPECT_NEAR(out(i, 0), value, 1e-12 * std::abs(value));
  }
}

}  // namespace
}  // namespace espalier
