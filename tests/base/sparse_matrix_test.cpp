#include "espalier/base/sparse_matrix.hpp"

#include <gtest/gtest.h>

#include "support/failure.hpp"

namespace espalier {
namespace {

using Columns = std::vector<std::uint32_t>;
using Values = std::vector<double>;

TEST(SparseMatrix, HoldsItsRows) {
  SparseMatrix matrix(5);
  EXPECT_EQ(matrix.rows(), 0U);
  matrix.add_row(Columns{0, 4}, Values{1, -2});
  matrix.add_row({}, {});
  matrix.add_row(Columns{3}, Values{7});
  EXPECT_EQ(matrix.rows(), 3U);
  EXPECT_EQ(matrix.columns(), 5U);
  EXPECT_EQ(matrix.value_count(), 3U);
  const auto [columns, values] = matrix.row(0);
  EXPECT_EQ(Columns(columns.begin(), columns.end()), (Columns{0, 4}));
  EXPECT_EQ(Values(values.begin(), values.end()), (Values{1, -2}));
  EXPECT_TRUE(matrix.row(1).values.empty());
  EXPECT_EQ(matrix.row(2).columns[0], 3U);
}

TEST(SparseMatrix, RefusesRowsThatAreNone) {
  SparseMatrix matrix(3);
  const auto adding = [&](const Columns& columns, const Values& values) {
    return [&matrix, columns, values] { matrix.add_row(columns, values); };
  };
  EXPECT_TRUE(test::fails_with("no column 3", adding({3}, {1})));
  EXPECT_TRUE(test::fails_with("must rise", adding({1, 1}, {1, 1})));
  EXPECT_TRUE(test::fails_with("must rise", adding({2, 1}, {1, 1})));
  EXPECT_TRUE(test::fails_with("2 columns but 1 values", adding({0, 1}, {1})));
  EXPECT_EQ(matrix.rows(), 0U);
}

}  // namespace
}  // namespace espalier
