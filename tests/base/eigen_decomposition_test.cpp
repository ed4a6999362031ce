#include "base/eigen_decomposition.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/base/random.hpp"

namespace espalier {
namespace {

TEST(EigenDecomposition, GivesTheMatrixBack) {
  constexpr std::size_t size = 20;
  Random random(1);
  Matrix<double> matrix(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = random.uniform() - 0.5;
  }
  const EigenDecomposition parts = decompose_symmetric(matrix);
  EXPECT_TRUE(std::ranges::is_sorted(parts.values, std::greater<>()));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      double value = 0;
      double product = 0;
      for (std::size_t k = 0; k < size; ++k) {
        value += parts.values[k] * parts.vectors(k, i) * parts.vectors(k, j);
        product += parts.vectors(i, k) * parts.vectors(j, k);
      }
      EXPECT_NEAR(value, matrix(i, j), 1e-12);
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-12);
    }
  }
}

TEST(EigenDecomposition, ReadsTheLowerTriangle) {
  Matrix<double> matrix(2, 2);
  matrix(0, 0) = matrix(1, 1) = 2;
  matrix(1, 0) = 1;
  matrix(0, 1) = 1e6;
  const EigenDecomposition parts = decompose_symmetric(matrix);
  EXPECT_NEAR(parts.values[0], 3, 1e-12);
  EXPECT_NEAR(parts.values[1], 1, 1e-12);
}

}  // namespace
}  // namespace espalier
