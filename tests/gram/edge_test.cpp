// Nothing, one, empty, lacking, unknown.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

using test::agree;
using test::ExampleOf;

const std::vector<std::string> tree_kernels = {
    "st()", "sst()", "sst(leaves=true)", "pt()", "pt(terminal=2)", "subpath()", "norm(pt())"};

TEST(GramOfNothing, IsEmptyOrAnErrorThatSaysWhatIsLacking) {
  // Without examples nothing is known of their trees and vectors.
  EXPECT_EQ(gram(Kernel("1"), Dataset()).rows(), 0U);
  EXPECT_TRUE(diagonal(Kernel("2*3"), Dataset()).empty());
  const Dataset data = test::dataset_of({"(a(b))", "(a)"});
  for (const char* text : {"sst(t)", "norm(pt())", "each(sst())", "all(pt())"}) {
    const Kernel kernel(text);
    EXPECT_TRUE(test::fails_with("no trees", [&] { gram(kernel, Dataset()); })) << text;
    EXPECT_TRUE(test::fails_with("no trees", [&] { gram(kernel, data, Dataset()); })) << text;
    EXPECT_TRUE(test::fails_with("no trees", [&] { gram(kernel, Dataset(), data); })) << text;
  }
  EXPECT_TRUE(test::fails_with("no vectors", [] { gram(Kernel("linear(v)"), Dataset()); }));
}

TEST(GramOfOneTree, IsItsSelfKernel) {
  const Dataset data = test::dataset_of({"(S(a(b))(a(b)))"});
  EXPECT_TRUE(agree(gram(Kernel("sst()"), data), {{4 * 0.4 + 0.4 * 1.4 * 1.4}}));
  EXPECT_TRUE(agree(gram(Kernel("norm(sst())"), data), {{1}}));
}

TEST(GramOfSingleNodes, CountsTheirLabel) {
  const Dataset data = test::dataset_of({"(a)", "(b)", "(a)"});
  const auto same = [](double value) -> test::Values {
    return {{value, 0, value}, {0, value, 0}, {value, 0, value}};
  };
  EXPECT_TRUE(agree(gram(Kernel("st()"), data), same(0)));
  EXPECT_TRUE(agree(gram(Kernel("st(leaves=true)"), data), same(1)));
  EXPECT_TRUE(agree(gram(Kernel("st(leaves=true, weight=size)"), data), same(0.5)));
  EXPECT_TRUE(agree(gram(Kernel("sst()"), data), same(0)));
  EXPECT_TRUE(agree(gram(Kernel("sst(leaves=true)"), data), same(0.4)));
  EXPECT_TRUE(agree(gram(Kernel("pt()"), data), same(0.4 * 0.4 * 0.4)));
  EXPECT_TRUE(agree(gram(Kernel("pt(terminal=3)"), data), same(0.4 * 0.4 * 0.4 * 3)));
  EXPECT_TRUE(agree(gram(Kernel("subpath()"), data), same(0.4)));
  EXPECT_TRUE(agree(gram(Kernel("norm(pt())"), data), same(1)));
  // Nothing to count: 0, not 0/0.
  EXPECT_TRUE(agree(gram(Kernel("norm(sst())"), data), same(0)));
}

TEST(GramOfEmptyTrees, IsZero) {
  const Dataset data = test::dataset_of({"", "(a(b))", ""});
  for (const std::string& text : tree_kernels) {
    const Matrix<double> found = gram(Kernel(text), data);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(found(0, i), 0) << text;
      EXPECT_EQ(found(i, 2), 0) << text;
    }
    EXPECT_GT(found(1, 1), 0) << text;
    EXPECT_EQ(gram(Kernel(text), test::dataset_of({""}))(0, 0), 0) << text;
  }
}

TEST(GramOfExamplesThatLackATree, IsZeroThere) {
  Dataset data;
  data.add(ExampleOf().label("first"));
  data.add(ExampleOf().tree("t", "(a(b))"));
  data.add(ExampleOf().tree("u", "(a(b))"));
  for (const char* text : {"sst(t)", "pt(t)", "st(t)", "subpath(t)", "norm(sst(t))"}) {
    const Kernel kernel(text);
    const double own = gram(kernel, test::dataset_of({"(a(b))"}))(0, 0);
    EXPECT_TRUE(agree(gram(kernel, data), {{0, 0, 0}, {0, own, 0}, {0, 0, 0}})) << text;
    const std::vector<double> all = diagonal(kernel, data);
    EXPECT_TRUE(agree(test::Values{all}, {{0, own, 0}})) << text;
  }
  EXPECT_TRUE(agree(gram(Kernel("linear(v) + 1"),
                         [&] {
                           Dataset with_vector;
                           with_vector.add(ExampleOf());
                           with_vector.add(ExampleOf().vector("v", test::dense({2})));
                           return with_vector;
                         }()),
                    {{1, 1}, {1, 5}}));
}

TEST(GramOfUnknownTrees, IsAnErrorThatListsTheNames) {
  Dataset data;
  data.add(ExampleOf().tree("grct", "(a)").tree("lct", "(b)"));
  const std::string message = test::failure_of([&] { gram(Kernel("sst(gct)"), data); }).message;
  for (const char* part : {"gct", "grct", "lct"}) EXPECT_TRUE(test::contains(message, part));
  const std::string several = test::failure_of([&] { gram(Kernel("sst()"), data); }).message;
  for (const char* part : {"grct", "lct"}) EXPECT_TRUE(test::contains(several, part));
  Dataset other;
  other.add(ExampleOf().tree("grct", "(a)"));
  EXPECT_TRUE(test::fails_with("lct", [&] { gram(Kernel("sst(lct)"), data, other); }));
  EXPECT_TRUE(test::fails_with("lct", [&] { gram(Kernel("sst(lct)"), other, data); }));
  EXPECT_TRUE(test::fails_with("grct", [&] { diagonal(Kernel("sst(x)"), other); }));
  EXPECT_TRUE(test::fails_with("grct", [&] { gram_row(Kernel("sst(x)"), other, 0); }));
}

TEST(Aligned, NeedsAsManyExamples) {
  const Dataset one = test::dataset_of({"(a)"}), two = test::dataset_of({"(a)", "(a)"});
  const std::string message = test::failure_of([&] { aligned(Kernel("sst()"), one, two); }).message;
  EXPECT_TRUE(test::contains(message, "1"));
  EXPECT_TRUE(test::contains(message, "2"));
}

TEST(Norm, HasOnesOnItsDiagonalAndZerosWhereNothingCounts) {
  test::Random random(12);
  const auto trees = test::random_trees(random, 60, 9);
  const Dataset data = test::dataset_of(trees);
  for (const std::string text : {"st()", "sst()", "pt()", "subpath()", "pt(mu=0)", "sst(lambda=0)",
                                 "sst(lambda=1)", "st(decay=0)", "st(decay=1, kappa=poly)"}) {
    const Matrix<double> raw = gram(Kernel(text), data);
    const Matrix<double> found = gram(Kernel("norm(" + text + ")"), data);
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (raw(i, i) > 0) {
        EXPECT_NEAR(found(i, i), 1, 1e-14) << text;
      } else {
        for (std::size_t j = 0; j < data.size(); ++j) EXPECT_EQ(found(i, j), 0) << text;
      }
    }
  }
}

TEST(Norm, HasExactOnesForEqualTrees) {
  const Dataset data = test::dataset_of({"(a(b(c)(d))(e(f)))", "(a(b(c)(d))(e(f)))"});
  for (const char* text : {"norm(sst())", "norm(pt())", "norm(st())", "norm(subpath())"}) {
    const Matrix<double> found = gram(Kernel(text), data);
    EXPECT_NEAR(found(0, 1), 1, 1e-15) << text;
    EXPECT_NEAR(found(0, 0), 1, 1e-15) << text;
  }
}

}  // namespace
}  // namespace espalier
