// dtk(..): the dot products of distributed trees.
#include <gtest/gtest.h>

#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/gram/gram.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

/// The vectors of the trees of one name.
Matrix<float> vectors_of(const Dataset& data, const char* tree,
                         const DistributedTreeOptions& options) {
  const TreeColumn& column = data.trees(tree);
  Matrix<float> out(data.size(), options.dim);
  DistributedTrees(options).transform(data.forests()[column.forest].value, column.trees,
                                      out.data());
  return out;
}

Matrix<double> dot_products(const Matrix<float>& a, const Matrix<float>& b) {
  Matrix<double> out(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < b.rows(); ++j) {
      out(i, j) = 0;
      for (std::size_t k = 0; k < a.columns(); ++k) {
        out(i, j) += static_cast<double>(a(i, k)) * static_cast<double>(b(j, k));
      }
    }
  }
  return out;
}

test::Values sum(const Matrix<double>& a, const Matrix<double>& b) {
  test::Values out = test::values_of(a);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t j = 0; j < out[i].size(); ++j) out[i][j] += b(i, j);
  }
  return out;
}

TEST(DistributedKernel, IsTheDotProductOfTheVectors) {
  const Dataset data = test::toy_classes({.count = 20});
  const Dataset other = test::toy_classes({.count = 15, .seed = 9});
  DistributedTreeOptions options;
  options.dim = 64;
  options.decay = 0.7;
  options.compose = Composition::convolution;
  options.seed = 3;
  const Kernel kernel("dtk(t, dim=64, lambda=0.7, compose=convolution, seed=3)");
  const Matrix<float> rows = vectors_of(data, "t", options);
  EXPECT_TRUE(test::agree(gram(kernel, data), dot_products(rows, rows), 1e-9));
  EXPECT_TRUE(test::agree(gram(kernel, data, other),
                          dot_products(rows, vectors_of(other, "t", options)), 1e-9));
}

TEST(DistributedKernel, SumsOverTreesOfSeveralNames) {
  const Dataset data = test::toy_classes({.count = 20});
  DistributedTreeOptions options;
  options.dim = 100;
  const Matrix<float> t = vectors_of(data, "t", options);
  const Matrix<float> u = vectors_of(data, "u", options);
  const auto each = sum(dot_products(t, t), dot_products(u, u));
  EXPECT_TRUE(test::agree(gram(Kernel("each(dtk(dim=100))"), data), each, 1e-9));
  Matrix<float> both(t.rows(), t.columns());
  for (std::size_t k = 0; k < t.rows() * t.columns(); ++k) {
    both.data()[k] = t.data()[k] + u.data()[k];
  }
  EXPECT_TRUE(test::agree(gram(Kernel("all(dtk(dim=100))"), data), dot_products(both, both), 1e-9));
}

TEST(DistributedKernel, EstimatesTheExactOne) {
  const Dataset data = test::toy_classes({.count = 20});
  const Matrix<double> estimate = gram(Kernel("norm(dtk(t, dim=16384))"), data);
  const Matrix<double> exact = gram(Kernel("norm(sst(t))"), data);
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::size_t j = 0; j < data.size(); ++j) {
      EXPECT_NEAR(estimate(i, j), exact(i, j), 6 / std::sqrt(16384.0));
    }
  }
}

TEST(DistributedKernel, IsZeroWithoutATree) {
  Dataset data = test::dataset_of({"(a(b))", "(a)"});
  data.add(Example());
  const Matrix<double> values = gram(Kernel("norm(dtk(dim=8)) + dtk(dim=8)"), data);
  EXPECT_NEAR(values(0, 0), 2, 1e-6);
  for (std::size_t i = 1; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(values(i, j), 0);
  }
}

TEST(DistributedKernel, SaysWhatIsWrong) {
  const Dataset data = test::toy_classes({.count = 3});
  EXPECT_TRUE(test::fails_with("dim = 10 is not 2, 4, 8, ..",
                               [&] { gram(Kernel("dtk(t, dim=10, compose=convolution)"), data); }));
  EXPECT_TRUE(test::fails_with("no tree named 'x'", [&] { gram(Kernel("norm(dtk(x))"), data); }));
}

}  // namespace
}  // namespace espalier
