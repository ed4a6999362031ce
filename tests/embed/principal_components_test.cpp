#include "espalier/embed/principal_components.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/eigen_decomposition.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/gram/gram.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

/// Textbook kernel PCA: the eigenvectors of the centred Gram matrix, times the roots of their
/// eigenvalues.
TEST(PrincipalComponents, OfAllLandmarksAreKernelPca) {
  const Dataset data = test::toy_classes({.count = 30});
  const Kernel kernel("norm(pt(t))");
  Matrix<double> k = gram(kernel, data);
  const std::size_t n = data.size();
  std::vector<double> means(n, 0.0);
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) means[i] += k(i, j) / static_cast<double>(n);
    mean += means[i] / static_cast<double>(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) k(i, j) += mean - means[i] - means[j];
  }
  const EigenDecomposition expected = decompose_symmetric(k);
  Nystroem nystroem(kernel, {.landmarks = n});
  nystroem.fit(data);
  const PrincipalComponents found = principal_components(nystroem.transform(data), 3);
  double trace = 0;
  for (const double value : expected.values) trace += value;
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(found.explained_variance_ratio[c], expected.values[c] / trace, 1e-5);
    double dot = 0;
    for (std::size_t i = 0; i < n; ++i) {
      dot += static_cast<double>(found.rows(i, c)) * expected.vectors(c, i);
    }
    EXPECT_NEAR(std::abs(dot), std::sqrt(expected.values[c]), 1e-4);
  }
}

TEST(PrincipalComponents, HandleIdenticalPoints) {
  Matrix<float> same(4, 3);
  std::fill_n(same.data(), 12, 2.0F);
  const PrincipalComponents found = principal_components(same, 2);
  EXPECT_EQ(found.explained_variance_ratio, (std::vector<double>{0, 0}));
  EXPECT_EQ(found.rows(3, 1), 0);
  EXPECT_TRUE(test::fails_with("from 1 to 3", [&] { principal_components(same, 4); }));
  EXPECT_TRUE(test::fails_with("no examples", [&] { principal_components(Matrix<float>(), 1); }));
}

}  // namespace
}  // namespace espalier
