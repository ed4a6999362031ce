#include "engine/dense_product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/small_trees.hpp"

namespace espalier {
namespace {

template <class T>
Matrix<T> random_matrix(std::size_t rows, std::size_t columns, std::uint32_t seed) {
  test::Random random(seed);
  Matrix<T> out(rows, columns);
  for (std::size_t k = 0; k < rows * columns; ++k) {
    out.data()[k] = static_cast<T>(random.below(2001)) / 1000 - 1;
  }
  return out;
}

template <class Row, class Column>
double dot(std::span<const Row> a, std::span<const Column> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  return sum;
}

template <class Column>
void expect_products(std::size_t rows, std::size_t columns, std::size_t dimension) {
  const Matrix<float> a = random_matrix<float>(rows, dimension, 1);
  const Matrix<Column> b = random_matrix<Column>(columns, dimension, 2);
  const std::size_t stride = columns + 3;
  std::vector<double> out(rows * stride, -7);
  dense_product(a, b, {out.data(), stride});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      EXPECT_NEAR(out[i * stride + j], dot(a.row(i), b.row(j)),
                  1e-12 * static_cast<double>(dimension));
    }
    for (std::size_t j = columns; j < stride; ++j) EXPECT_EQ(out[i * stride + j], -7);
  }
}

TEST(DenseProduct, IsTheDotProductOfEachPair) {
  for (const std::size_t dimension : {1, 3, 4, 511, 512, 513, 1027}) {
    for (const std::size_t size : {1, 2, 5, 8}) {
      expect_products<float>(size, 7 - size / 2, dimension);
      expect_products<double>(7 - size / 2, size, dimension);
    }
  }
}

TEST(DenseProduct, HasTheSameBitsInAnyBlock) {
  const Matrix<float> a = random_matrix<float>(9, 700, 1);
  std::vector<double> whole(81);
  dense_product(a, a, {whole.data(), 9});
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 9; ++j) {
      double one = 0;
      dense_product({a, {i, i + 1}}, DenseRows<float>(a, {j, j + 1}), {&one, 1});
      EXPECT_EQ(one, whole[i * 9 + j]);
      EXPECT_EQ(one, whole[j * 9 + i]);
    }
  }
}

}  // namespace
}  // namespace espalier
