// Kernels restricted to some labels against the enumerator, which lists every fragment and drops
// those with other labels.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "espalier/gram/gram.hpp"
#include "espalier/gram/kernel_functions.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

std::string selected(const std::string& kernel, const std::string& labels) {
  return "select(" + kernel + ", labels=[" + labels + "])";
}

const std::vector<std::string> label_sets = {"a", "b, c", "a, b, c", "a, d, z"};

void expect_selection(const std::vector<std::string>& kernels) {
  test::Random random(2010);
  for (int set = 0; set < 40; ++set) {
    const auto trees = test::random_trees(random, 20, 9);
    const Dataset data = test::dataset_of(trees);
    for (const std::string& text : kernels) {
      const Kernel kernel(selected(text, label_sets[random.below(label_sets.size())]));
      const Matrix<double> found = gram(kernel, data, test::working(1));
      ASSERT_TRUE(test::agree(found, test::enumerated(kernel, trees)))
          << kernel.to_string() << " in set " << set;
      if (text.find("terminal") != std::string::npos) continue;  // need not be one
      ASSERT_TRUE(test::is_gram(found)) << kernel.to_string() << " in set " << set;
    }
  }
}

TEST(GramBySelection, OfSst) {
  expect_selection({"sst()", "sst(lambda=1)", "sst(lambda=0.7, leaves=true)"});
}

TEST(GramBySelection, OfPt) {
  expect_selection({"pt()", "pt(lambda=0.7, mu=0.3, terminal=3)", "pt(gap=span, terminal=0.5)",
                    "pt(lambda=1, mu=1, max_length=2)"});
}

TEST(GramBySelection, OfSubpath) { expect_selection({"subpath()", "subpath(lambda=1)"}); }

/// D(x,y) of the route kernel, 0 where a label is not selected.
double route_value(const test::PlainTree& x, const test::PlainTree& y, double decay,
                   const std::vector<std::string>& labels) {
  if (x.label != y.label || std::ranges::count(labels, x.label) == 0) return 0;
  double sum = 1;
  for (std::size_t i = 0; i < std::min(x.children.size(), y.children.size()); ++i) {
    sum += route_value(x.children[i], y.children[i], decay, labels);
  }
  return decay * sum;
}

TEST(GramBySelection, OfRoute) {
  test::Random random(2009);
  for (int set = 0; set < 40; ++set) {
    const auto trees = test::random_trees(random, 12, 9);
    test::Values expected(trees.size(), std::vector<double>(trees.size(), 0));
    for (std::size_t i = 0; i < trees.size(); ++i) {
      for (std::size_t j = 0; trees[i] && j < trees.size(); ++j) {
        if (!trees[j]) continue;
        test::for_each_node(*trees[i], [&](const test::PlainTree& x) {
          test::for_each_node(*trees[j], [&](const test::PlainTree& y) {
            expected[i][j] += route_value(x, y, 0.6, {"a", "c"});
          });
        });
      }
    }
    const Kernel kernel(selected("route(lambda=0.6)", "a, c"));
    ASSERT_TRUE(test::agree(gram(kernel, test::dataset_of(trees)), expected)) << set;
  }
}

TEST(GramBySelection, OfAllLabelsIsTheFullKernel) {
  test::Random random(3);
  const auto trees = test::random_trees(random, 40, 40);
  const Dataset data = test::dataset_of(trees);
  for (const std::string kernel : {"sst(leaves=true)", "pt()", "subpath()", "route()"}) {
    EXPECT_TRUE(test::identical(gram(Kernel(selected(kernel, "a, b, c, d")), data),
                                gram(Kernel(kernel), data)))
        << kernel;
  }
}

TEST(GramBySelection, GrowsWithTheLabels) {
  test::Random random(4);
  const auto trees = test::random_trees(random, 20, 20);
  const Dataset data = test::dataset_of(trees);
  for (const std::string kernel : {"sst()", "pt()", "subpath()", "route()"}) {
    const Matrix<double> few = gram(Kernel(selected(kernel, "a")), data);
    const Matrix<double> more = gram(Kernel(selected(kernel, "a, b")), data);
    for (std::size_t k = 0; k < few.rows() * few.columns(); ++k) {
      EXPECT_LE(few.data()[k], more.data()[k]) << kernel;
    }
  }
}

TEST(GramBySelection, IsZeroWithoutASelectedLabel) {
  const Dataset data = test::dataset_of({"(a(b(c)))", "(a(b(d)))", "(x(y(z)))"});
  for (const std::string kernel : {"sst()", "pt()", "subpath()", "route()"}) {
    const Matrix<double> found = gram(Kernel("norm(" + selected(kernel, "b, q") + ")"), data);
    EXPECT_DOUBLE_EQ(found(0, 0), 1) << kernel;
    EXPECT_EQ(found(2, 2), 0) << kernel;
    EXPECT_EQ(found(0, 2), 0) << kernel;
  }
}

/// By hand: an unselected child is a factor 1, and what is below it counts again.
TEST(GramBySelection, CutsFragmentsAtOtherLabels) {
  const Dataset data = test::dataset_of({"(S(N(d))(V(N(d))))"});
  // S: l, as neither N nor V below is expanded; two N, in four pairs: l each if they are selected.
  EXPECT_DOUBLE_EQ(gram(Kernel(selected("sst()", "S")), data)(0, 0), 0.4);
  EXPECT_DOUBLE_EQ(gram(Kernel(selected("sst()", "S, N")), data)(0, 0), 0.4 * 1.4 + 4 * 0.4);
}

TEST(GramBySelection, PredictsAndSweepsLikeAnyOther) {
  test::Random random(7);
  const auto trees = test::random_trees(random, 30, 20);
  const auto others = test::random_trees(random, 10, 20);
  const Dataset data = test::dataset_of(trees), fresh = test::dataset_of(others);
  for (const std::string text : {"sst(lambda=0.7)", "pt(lambda=0.7)", "subpath(lambda=0.7)"}) {
    const Kernel kernel("norm(" + selected(text, "a, c") + ")");
    std::string swept = kernel.to_string();
    swept.replace(swept.find("0.7"), 3, "{0.3,0.7}");
    EXPECT_TRUE(test::agree(gram(sweep(swept), data)[1], gram(kernel, data)));
    Matrix<double> coefficients(2, data.size());
    for (std::size_t k = 0; k < 2 * data.size(); ++k) {
      coefficients.data()[k] = std::cos(static_cast<double>(k));
    }
    KernelFunctions functions(kernel);
    functions.add(data, coefficients);
    const KernelFunctions loaded = KernelFunctions::load(functions.save());
    EXPECT_EQ(loaded.kernel().to_string(), kernel.to_string());
    const Matrix<double> matrix = gram(kernel, fresh, data);
    const Matrix<double> values = loaded(fresh);
    const auto parts = loaded.contributions(fresh);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      for (std::size_t o = 0; o < 2; ++o) {
        double expected = 0, sum = 0;
        for (std::size_t j = 0; j < data.size(); ++j) expected += coefficients(o, j) * matrix(i, j);
        for (const TreeContributions& tree : parts[i].trees) {
          for (std::size_t k = 0; k < tree.counts.size(); ++k) {
            sum += tree.counts[k] * tree.values(k, o);
          }
        }
        EXPECT_NEAR(values(i, o), expected, 1e-10) << text;
        EXPECT_NEAR(sum, expected, 1e-10) << text;
      }
    }
  }
}

}  // namespace
}  // namespace espalier
