// Functions compiled into weighted forests: the same values as the sum over the examples.
#include "espalier/gram/kernel_functions.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/examples.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

/// A pair whose members have a tree and a vector each, and two trees and two vectors of its own.
/// Some of them are lacking now and then, and some labels are unknown to other seeds.
Example random_example(test::Random& random, const std::string& rare) {
  const auto number = [&] { return static_cast<double>(random.below(200)) / 64 - 1; };
  const auto tree = [&] {
    return test::to_tree(test::random_shape(random, 1 + random.below(25), 3));
  };
  test::ExampleOf out;
  if (!random.one_in(9)) out.tree("t", tree());
  if (!random.one_in(9)) out.tree("u", tree());
  if (!random.one_in(9)) out.vector("v", test::sparse({{"x", number()}, {rare, number()}}));
  out.vector("d", test::dense({number(), number(), number()}));
  Example example = out;
  for (int m = 0; m < 2; ++m) {
    test::ExampleOf member;
    member.tree("t", tree());
    member.vector("v", test::sparse({{"x", number()}}));
    example.members.push_back(member);
  }
  return example;
}

Dataset random_data(std::size_t count, std::uint32_t seed, const std::string& rare) {
  test::Random random(seed);
  Dataset data;
  for (std::size_t i = 0; i < count; ++i) data.add(random_example(random, rare));
  return data;
}

Matrix<double> random_coefficients(std::size_t outputs, std::size_t examples, std::uint32_t seed) {
  test::Random random(seed);
  Matrix<double> out(outputs, examples);
  for (std::size_t k = 0; k < outputs * examples; ++k) {
    out.data()[k] = random.one_in(3) ? 0 : static_cast<double>(random.below(2000)) / 500 - 2;
  }
  return out;
}

/// The sum over the examples, and the sum of the sizes of its terms.
struct Sum {
  double value = 0;
  double size = 0;
};
Sum explicit_sum(const Matrix<double>& kernels, const Matrix<double>& coefficients, std::size_t row,
                 std::size_t output) {
  Sum sum;
  for (std::size_t i = 0; i < coefficients.columns(); ++i) {
    sum.value += coefficients(output, i) * kernels(row, i);
    sum.size += std::abs(coefficients(output, i) * kernels(row, i));
  }
  return sum;
}

void expect_equal(const Matrix<double>& values, const Kernel& kernel, const Dataset& rows,
                  const Dataset& examples, const Matrix<double>& coefficients) {
  const Matrix<double> kernels = gram(kernel, rows, examples);
  ASSERT_EQ(values.rows(), rows.size());
  ASSERT_EQ(values.columns(), coefficients.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t o = 0; o < coefficients.rows(); ++o) {
      const Sum sum = explicit_sum(kernels, coefficients, i, o);
      EXPECT_NEAR(values(i, o), sum.value, 1e-11 * sum.size + 1e-300) << i << ", output " << o;
    }
  }
}

struct Case {
  std::string expression;
  bool keeps_examples;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.expression; }

class Functions : public testing::TestWithParam<Case> {
 protected:
  const Kernel kernel{GetParam().expression};
  const Dataset train = random_data(50, 1, "y");
  const Dataset test = random_data(30, 2, "z");
  const Matrix<double> coefficients = random_coefficients(3, train.size(), 7);
};

TEST_P(Functions, AreTheSumOverTheExamples) {
  KernelFunctions functions(kernel);
  functions.add(train, coefficients);
  expect_equal(functions(test), kernel, test, train, coefficients);
  EXPECT_EQ(functions.summary().support_vectors > 0, GetParam().keeps_examples);
}

TEST_P(Functions, AreTheSumWhereCoefficientsCancel) {
  Matrix<double> opposite(1, train.size());
  for (std::size_t i = 0; i < train.size(); ++i) opposite(0, i) = i % 2 == 0 ? 1 : -1;
  KernelFunctions functions(kernel);
  functions.add(train, opposite);
  expect_equal(functions(test), kernel, test, train, opposite);
}

TEST_P(Functions, AreTheSameForAnyThreadsAndMemory) {
  KernelFunctions functions(kernel);
  functions.add(train, coefficients);
  const Dataset many = random_data(600, 3, "y");
  const Matrix<double> values = functions(many, test::working(1));
  EXPECT_TRUE(test::identical(functions(many, test::working(3)), values));
  EXPECT_TRUE(test::identical(functions(many, test::working(2, 20'000)), values));
}

TEST_P(Functions, TakeExamplesAndOutputsLater) {
  KernelFunctions functions(kernel);
  functions.add(train, coefficients);
  // What a call leaves behind for the next ones must not outlive the change.
  const Matrix<double> before = functions(test);
  const KernelFunctions copy = functions;
  const Dataset more = random_data(20, 4, "w");
  const Matrix<double> further = random_coefficients(4, more.size(), 8);
  functions.add(more, further);
  Dataset all = train;
  for (std::size_t i = 0; i < more.size(); ++i) all.add(more.example(i));
  Matrix<double> joined(4, all.size());
  for (std::size_t o = 0; o < 4; ++o) {
    for (std::size_t i = 0; i < train.size(); ++i) joined(o, i) = o < 3 ? coefficients(o, i) : 0;
    for (std::size_t i = 0; i < more.size(); ++i) joined(o, train.size() + i) = further(o, i);
  }
  expect_equal(functions(test), kernel, test, all, joined);
  EXPECT_TRUE(test::identical(copy(test), before));
}

TEST_P(Functions, AreTheSameForOneExampleAtATime) {
  KernelFunctions functions(kernel);
  const Matrix<double> many = random_coefficients(11, train.size(), 9);
  functions.add(train, many);
  for (std::size_t i = 0; i < test.size(); ++i) {
    const std::uint32_t here[] = {static_cast<std::uint32_t>(i)};
    const Dataset one = test.view(here);
    expect_equal(functions(one), kernel, one, train, many);
  }
}

TEST_P(Functions, MayBeAskedFirstByManyAtATime) {
  KernelFunctions functions(kernel);
  functions.add(train, coefficients);
  const Matrix<double> right = KernelFunctions(functions)(test);
  std::atomic<std::size_t> wrong = 0;
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < 4; ++t) {
      all.emplace_back([&] { wrong += test::identical(functions(test), right) ? 0 : 1; });
    }
  }
  EXPECT_EQ(wrong, 0U);
}

TEST_P(Functions, AreTheSameAfterSavingAndLoading) {
  KernelFunctions functions(kernel);
  functions.add(train, coefficients);
  const KernelFunctions again = KernelFunctions::load(functions.save());
  EXPECT_EQ(again.kernel().to_string(), kernel.to_string());
  EXPECT_TRUE(test::identical(again(test), functions(test)));
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Functions,
    testing::Values(
        Case{"st(t)", false}, Case{"st(t, kappa=binary, leaves=true, unordered=true)", false},
        Case{"st(t, kappa=poly, power=1.5, labels=false)", false}, Case{"st(t, kappa=min)", true},
        Case{"sst(t, lambda=0.7, leaves=true)", false}, Case{"pt(t, terminal=0.3)", false},
        Case{"pt(t, gap=span, max_length=2)", false}, Case{"subpath(t)", false},
        Case{"linear(v)", false}, Case{"linear(d)", false}, Case{"cosine(v)", false},
        Case{"rbf(d, gamma=0.1)", true}, Case{"poly(d)", true}, Case{"norm(sst(t))", false},
        Case{"norm(sst(t) + 2*norm(pt(u)))", false},
        Case{"norm(pt(t)) + 0.5*norm(linear(v)) + 0.25", false},
        Case{"norm(sst(t))*norm(linear(v)) + norm(pt(t))", true}, Case{"pair(norm(sst(t)))", false},
        Case{"norm(cross(pt(t)))", false}, Case{"pair(linear(v))", false},
        Case{"pairproduct(sst(t))", true}, Case{"norm(each(sst()))", false},
        Case{"all(pt())", false}, Case{"all(norm(pt()))", true}, Case{"3", false},
        Case{"dtk(t, dim=64)", false}, Case{"norm(dtk(t, dim=33, lambda=1)) + linear(d)", false},
        Case{"dtk(t, dim=64)*linear(d)", true}, Case{"cross(dtk(t, dim=64))", false},
        Case{"norm(all(dtk(dim=64)))", false}, Case{"each(dtk(dim=64))", false}));

TEST(KernelFunctions, KeepExamplesWhereSelfKernelsDoNotFitADouble) {
  test::ExampleOf example;
  std::string text = "(a(b))";
  for (int i = 0; i < 11; ++i) text = "(a" + text + text + ")";
  example.tree("t", test::tree(text));
  Dataset data;
  data.add(example);
  Matrix<double> one(1, 1);
  one(0, 0) = 2;
  KernelFunctions functions(Kernel("norm(sst(lambda=1))"));
  functions.add(data, one);
  EXPECT_DOUBLE_EQ(functions(data)(0, 0), 2);
  EXPECT_EQ(functions.summary().support_vectors, 1U);
}

TEST(KernelFunctions, SubtreesWhoseWeightsCancelStillCountInThoseAbove) {
  Dataset data;
  for (const char* text : {"(S(A(B(x))(C(y))))", "(T(A(B(x))(C(y))))", "(S(A(B(x))(C(z))))"}) {
    test::ExampleOf example;
    example.tree("t", test::tree(text));
    data.add(example);
  }
  Matrix<double> coefficients(1, 3);
  coefficients(0, 0) = 1;
  coefficients(0, 1) = -1;
  coefficients(0, 2) = 0;
  for (const char* expression : {"sst()", "pt()", "subpath()", "st()"}) {
    KernelFunctions functions{Kernel(expression)};
    functions.add(data, coefficients);
    expect_equal(functions(data), Kernel(expression), data, data, coefficients);
  }
}

TEST(KernelFunctions, DamagedBytesAreAnError) {
  const Dataset data = random_data(5, 1, "y");
  for (const char* expression :
       {"norm(sst(t)) + 0.5*linear(v) + 1", "rbf(d)", "each(pt())", "norm(dtk(t, dim=4))"}) {
    KernelFunctions functions{Kernel(expression)};
    functions.add(data, random_coefficients(2, 5, 3));
    const std::string bytes = functions.save();
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 7) {
      EXPECT_THROW(KernelFunctions::load(bytes.substr(0, size)), Error) << size;
    }
    EXPECT_THROW(KernelFunctions::load(bytes + "x"), Error);
    // One byte changed: whatever it means, nothing but an Error may come of it.
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
      try {
        KernelFunctions::load(damaged)(data);
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace espalier
