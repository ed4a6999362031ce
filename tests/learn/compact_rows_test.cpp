#include "learn/compact_rows.hpp"

#include <gtest/gtest.h>

#include "learn/feature_problems.hpp"
#include "learn/row_products.hpp"

namespace espalier {
namespace {

using test::exact;
using test::expect_near;
using test::LinearProblem;

/// A problem whose rows have features of their own, some of them several, among the shared ones.
SparseMatrix with_own_features(const LinearProblem& problem) {
  SparseMatrix out(problem.sparse.columns() + 2 * problem.sparse.rows());
  for (std::uint32_t i = 0; i < problem.sparse.rows(); ++i) {
    const auto row = problem.sparse.row(i);
    std::vector<std::uint32_t> columns(row.columns.begin(), row.columns.end());
    std::vector<double> values(row.values.begin(), row.values.end());
    const auto first = static_cast<std::uint32_t>(problem.sparse.columns() + 2 * i);
    for (std::uint32_t k = 0; k < i % 3; ++k) {
      columns.push_back(first + k);
      values.push_back(0.5 + k);
    }
    out.add_row(columns, values);
  }
  return out;
}

Matrix<float> dense_copy(const SparseMatrix& rows) {
  Matrix<float> out(rows.rows(), rows.columns());
  std::fill_n(out.data(), out.rows() * out.columns(), 0.0F);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    const auto [columns, values] = rows.row(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      out(i, columns[k]) = static_cast<float>(values[k]);
    }
  }
  return out;
}

TEST(CompactRows, HaveTheProductsOfTheMatrix) {
  const LinearProblem problem(3, 40, 6);
  const SparseMatrix matrix = with_own_features(problem);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 39; i > 9; --i) chosen.push_back(i);
  chosen.push_back(39);  // twice: its features are shared
  const CompactRows rows(matrix, chosen, {});
  EXPECT_EQ(rows.columns(), 6 + 39U % 3);

  // Weights as a solver keeps them: a sum of rows.
  std::vector<double> kept(rows.columns(), 0.0), values;
  std::vector<std::uint32_t> positions;
  for (std::uint32_t p = 0; p < chosen.size(); ++p) {
    positions.push_back(p);
    values.push_back(p % 4 - 1.5);
    add_row(rows, rows.place(p), values[p], kept.data());
  }
  std::vector<double> expected(matrix.columns(), 0.0), weights(matrix.columns(), -1.0);
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    const auto [columns, row] = matrix.row(chosen[p]);
    for (std::size_t k = 0; k < columns.size(); ++k) expected[columns[k]] += values[p] * row[k];
  }
  rows.expand(kept, positions, values, weights);
  expect_near(weights, expected, 1e-12);
  for (std::size_t p = 0; p < chosen.size(); ++p) {
    EXPECT_NEAR(product(rows, rows.place(p), kept.data()) + rows.own_square(p) * values[p],
                product(matrix, chosen[p], expected.data()), 1e-12);
    EXPECT_NEAR(self_product(rows, rows.place(p)) + rows.own_square(p),
                self_product(matrix, chosen[p]), 1e-12);
  }
}

TEST(CompactRows, NumberFrequentColumnsFirst) {
  SparseMatrix matrix(3);
  const std::uint32_t columns[] = {0, 1, 2};
  const double values[] = {1, 2, 3};
  matrix.add_row(columns, values);
  matrix.add_row({columns + 1, 2}, {values + 1, 2});
  matrix.add_row({columns + 2, 1}, {values + 2, 1});
  const std::uint32_t all[] = {0, 1, 2};
  const CompactRows rows(matrix, all, {});
  EXPECT_EQ(rows.columns(), 2U);  // column 0 is of one row
  EXPECT_EQ(rows.own_square(0), 1);
  const auto row = rows.row(rows.place(0));
  ASSERT_EQ(row.columns.size(), 2U);
  EXPECT_EQ(row.columns[0], 1U);
  EXPECT_EQ(row.columns[1], 0U);
}

TEST(CompactRows, GiveTheOptimumOfDenseRows) {
  for (const LinearLoss loss : test::losses) {
    const LinearProblem problem(7, 120, 4, 3);
    const SparseMatrix sparse = with_own_features(problem);
    const Matrix<float> dense = dense_copy(sparse);
    const LinearLearnerOptions linear = {.loss = loss};
    const auto a = train_linear_classifier(FeatureRows(sparse), problem.labels, exact(2), linear);
    const auto b = train_linear_classifier(FeatureRows(dense), problem.labels, exact(2), linear);
    for (std::size_t m = 0; m < 3; ++m) {
      EXPECT_TRUE(a.classifiers.functions[m].converged);
      EXPECT_NEAR(a.classifiers.functions[m].objective, b.classifiers.functions[m].objective, 1e-6);
      expect_near(a.weights.row(m), b.weights.row(m), 1e-6);
    }
  }
}

}  // namespace
}  // namespace espalier
