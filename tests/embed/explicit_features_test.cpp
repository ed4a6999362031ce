#include "espalier/embed/explicit_features.hpp"

#include <gtest/gtest.h>

#include "espalier/engine/discriminance.hpp"
#include "espalier/gram/gram.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::fails_with;

double product(const SparseMatrix& a, std::size_t i, const SparseMatrix& b, std::size_t j) {
  const auto [a_columns, a_values] = a.row(i);
  const auto [b_columns, b_values] = b.row(j);
  double sum = 0;
  for (std::size_t x = 0, y = 0; x < a_columns.size() && y < b_columns.size();) {
    if (a_columns[x] == b_columns[y]) sum += a_values[x] * b_values[y];
    const bool first = a_columns[x] <= b_columns[y];
    const bool second = b_columns[y] <= a_columns[x];
    x += first ? 1 : 0;
    y += second ? 1 : 0;
  }
  return sum;
}

const char* const expressions[] = {
    "st(t)",
    "st(t, decay=0.3, leaves=true)",
    "st(t, weight=size, kappa=min, leaves=true)",
    "st(t, kappa=binary, unordered=true)",
    "st(u, kappa=poly, power=1.5, labels=false)",
    "linear(v)",
    "linear(d)",
    "cosine(v)",
    "norm(st(t)) + 0.5*norm(linear(v)) + 2",
    "norm(norm(st(t, kappa=min)) + 3*st(u))",
    "2*3*st(t) + 0*st(u)",
    "each(st())",
    "norm(each(norm(st(kappa=min))))",
    "all(st(leaves=true))",
    "norm(all(st()))",
    "pair(st(t))",
    "norm(pair(norm(st(t)) + 0.5*linear(v)))",
    "cross(st(t))",
    "norm(cross(norm(st(t, kappa=min)) + 0.5*linear(v) + 1))",
    "norm(cross(st(t, leaves=true)))",
    "pair(each(st())) + cross(all(st()))",
};

TEST(ExplicitFeatures, DotProductIsTheKernel) {
  const Dataset data = test::toy_classes({.count = 30, .pairs = true});
  const Dataset other = test::toy_classes({.count = 20, .seed = 9, .pairs = true});
  for (const char* expression : expressions) {
    const Kernel kernel(expression);
    ExplicitFeatures features(kernel);
    features.fit(data);
    const SparseMatrix rows = features.transform(data);
    const SparseMatrix others = features.transform(other);
    const Matrix<double> expected = gram(kernel, data);
    const Matrix<double> mixed = gram(kernel, other, data);
    ASSERT_EQ(rows.rows(), data.size());
    EXPECT_EQ(rows.columns(), features.columns());
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t j = 0; j < data.size(); ++j) {
        EXPECT_TRUE(test::is_near(product(rows, i, rows, j), expected(i, j), 1e-12)) << expression;
      }
    }
    // What only the others have counts in their norms, but has no column.
    for (std::size_t i = 0; i < other.size(); ++i) {
      for (std::size_t j = 0; j < data.size(); ++j) {
        EXPECT_TRUE(test::is_near(product(others, i, rows, j), mixed(i, j), 1e-12)) << expression;
      }
    }
  }
}

TEST(ExplicitFeatures, OfDistributedTreesAreTheirComponents) {
  const Dataset data = test::toy_classes({.count = 12, .pairs = true});
  for (const char* expression :
       {"dtk(t, dim=40)", "norm(dtk(t, dim=40))", "0.5*dtk(u, dim=40)",
        "norm(dtk(t, dim=40)) + 2*norm(st(t))", "all(dtk(dim=40))",
        "norm(pair(norm(dtk(t, dim=40))))", "norm(cross(norm(dtk(t, dim=40))))"}) {
    const Kernel kernel(expression);
    ExplicitFeatures features(kernel);
    features.fit(data);
    const SparseMatrix rows = features.transform(data);
    const Matrix<double> expected = gram(kernel, data);
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t j = 0; j < data.size(); ++j) {
        EXPECT_NEAR(product(rows, i, rows, j), expected(i, j), 1e-12 * expected(i, i) + 1e-13);
      }
    }
  }
}

TEST(ExplicitFeatures, AreDenseForDistributedTreesOnly) {
  const Dataset data = test::toy_classes({.count = 12});
  for (const char* expression :
       {"dtk(t, dim=40)", "3*norm(dtk(t, dim=40))", "norm(dtk(t, dim=20) + dtk(u, dim=20))"}) {
    ExplicitFeatures features{Kernel(expression)};
    features.fit(data);
    EXPECT_EQ(features.columns(), 40U);
    const SparseMatrix sparse = features.transform(data);
    const Matrix<float> dense = std::get<Matrix<float>>(features.matrix(data));
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto [columns, values] = sparse.row(i);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        EXPECT_NEAR(dense(i, columns[k]), values[k], 1e-6 * std::abs(values[k]));
      }
    }
  }
  ExplicitFeatures mixed(Kernel("dtk(t, dim=40) + st(t)"));
  mixed.fit(data);
  EXPECT_TRUE(std::holds_alternative<SparseMatrix>(mixed.matrix(data)));
}

TEST(ExplicitFeatures, RejectTooLittleMemory) {
  const Dataset data = test::toy_classes({.count = 12});
  ExplicitFeatures features(Kernel("norm(dtk(t, dim=1000))"));
  features.fit(data);
  EXPECT_TRUE(fails_with("the vectors of 12 examples take 0.0 GB, more than the 0.0 GB allowed",
                         [&] { features.matrix(data, test::working(1, 40'000)); }));
}

TEST(ExplicitFeatures, UseLearnedWeights) {
  const Dataset data = test::toy_classes({.count = 30});
  ClassLists classes(2);
  std::vector<std::uint32_t> examples;
  for (std::uint32_t i = 0; i < 15; ++i) {
    examples.push_back(i);
    classes.add(i % 2);
  }
  const Kernel open("norm(st(t, weight=discriminance))");
  EXPECT_TRUE(fails_with("there are none yet", [&] { ExplicitFeatures(open).fit(data); }));
  const FittedKernel kernel = learn_weights(open, data, examples, classes);
  ExplicitFeatures features(kernel);
  features.fit(data);
  const SparseMatrix rows = features.transform(data);
  const Matrix<double> expected = gram(kernel, data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::size_t j = 0; j < data.size(); ++j) {
      EXPECT_TRUE(test::is_near(product(rows, i, rows, j), expected(i, j), 1e-12));
    }
  }
}

TEST(ExplicitFeatures, NameTheirColumns) {
  const Dataset data = test::dataset_of({"(a(b(c))(b(c)))"});
  ExplicitFeatures features(Kernel("st(kappa=min) + 1"));
  features.fit(data);
  ASSERT_EQ(features.columns(), 4);
  EXPECT_EQ(features.name(0), "(b(c)) >= 1");
  EXPECT_EQ(features.name(1), "(b(c)) >= 2");
  EXPECT_EQ(features.name(2), "(a(b(c))(b(c))) >= 1");
  EXPECT_EQ(features.name(3), "1");
}

TEST(ExplicitFeatures, DoNotExistForOtherKernels) {
  for (const char* expression :
       {"sst()", "pt()", "st()*st()", "rbf(v)", "pairproduct(st())", "st() + sst()", "cross(pt())",
        "pair(sst())", "each(pt())", "all(st(kappa=binary))", "all(norm(st()))", "all(st() + 1)"}) {
    EXPECT_FALSE(has_explicit_features(Kernel(expression)));
    EXPECT_TRUE(fails_with("no explicit features", [&] { ExplicitFeatures{Kernel(expression)}; }));
  }
  EXPECT_TRUE(has_explicit_features(Kernel("norm(st())")));
}

TEST(ExplicitFeatures, TreesOfUnknownNamesCountInANorm) {
  const Dataset other = test::toy_classes({.count = 10});  // trees t and u
  Dataset data;
  for (std::size_t i = 0; i < other.size(); ++i) {
    Example example = other.example(i);
    std::erase_if(example.trees, [](const Named<Tree>& tree) { return tree.name == "u"; });
    data.add(example);
  }
  const Kernel kernel("norm(each(st()))");
  ExplicitFeatures features(kernel);
  features.fit(data);
  const SparseMatrix rows = features.transform(data);
  const SparseMatrix others = features.transform(other);
  const Matrix<double> expected = gram(kernel, other, data);
  for (std::size_t i = 0; i < other.size(); ++i) {
    for (std::size_t j = 0; j < data.size(); ++j) {
      EXPECT_TRUE(test::is_near(product(others, i, rows, j), expected(i, j), 1e-12));
    }
  }
}

TEST(ExplicitFeatures, OfExamplesWithoutTreesAreEmpty) {
  Dataset data = test::dataset_of({"(a(b))"});
  data.add(Example());
  ExplicitFeatures features(Kernel("norm(st())"));
  features.fit(data);
  const SparseMatrix rows = features.transform(data);
  EXPECT_EQ(rows.row(0).values.size(), 1);
  EXPECT_TRUE(rows.row(1).values.empty());
}

}  // namespace
}  // namespace espalier
