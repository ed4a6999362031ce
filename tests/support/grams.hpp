#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "support/eigenvalues.hpp"
#include "support/fragments.hpp"

namespace espalier::test {

/// How to work: with so many threads and so much memory.
inline Context working(std::size_t threads, std::size_t memory = std::size_t{1} << 30) {
  Context context;
  context.threads = threads;
  context.memory = memory;
  return context;
}

inline bool is_near(double a, double b, double tolerance) {
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

inline Values values_of(const Matrix<double>& matrix) {
  Values out;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    out.emplace_back(matrix.row(i).begin(), matrix.row(i).end());
  }
  return out;
}

/// For EXPECT_TRUE: whether two matrices agree up to a relative error; shows the first place if
/// not.
inline testing::AssertionResult agree(const Values& a, const Values& b, double tolerance = 1e-12) {
  if (a.size() != b.size()) {
    return testing::AssertionFailure() << a.size() << " rows against " << b.size();
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size() != b[i].size()) {
      return testing::AssertionFailure() << a[i].size() << " columns against " << b[i].size();
    }
    for (std::size_t j = 0; j < a[i].size(); ++j) {
      if (is_near(a[i][j], b[i][j], tolerance)) continue;
      return testing::AssertionFailure()
             << "at " << i << ", " << j << ": " << testing::PrintToString(a[i][j]) << " against "
             << testing::PrintToString(b[i][j]);
    }
  }
  return testing::AssertionSuccess();
}

inline testing::AssertionResult agree(const Matrix<double>& a, const Values& b,
                                      double tolerance = 1e-12) {
  return agree(values_of(a), b, tolerance);
}

inline testing::AssertionResult agree(const Matrix<double>& a, const Matrix<double>& b,
                                      double tolerance = 1e-12) {
  return agree(values_of(a), values_of(b), tolerance);
}

/// For EXPECT_TRUE: whether two matrices are the same to the bit.
template <class T>
testing::AssertionResult identical(const Matrix<T>& a, const Matrix<T>& b) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  if (a.rows() != b.rows() || a.columns() != b.columns()) {
    return testing::AssertionFailure() << "the shapes differ";
  }
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) {
      if (std::bit_cast<Bits>(a(i, j)) == std::bit_cast<Bits>(b(i, j))) continue;
      return testing::AssertionFailure()
             << "at " << i << ", " << j << ": " << testing::PrintToString(a(i, j)) << " against "
             << testing::PrintToString(b(i, j));
    }
  }
  return testing::AssertionSuccess();
}

inline Matrix<double> transposed(const Matrix<double>& matrix) {
  Matrix<double> out(matrix.columns(), matrix.rows());
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t j = 0; j < out.columns(); ++j) out(i, j) = matrix(j, i);
  }
  return out;
}

/// For EXPECT_TRUE: whether a matrix is symmetric to the bit and has no negative eigenvalue.
inline testing::AssertionResult is_gram(const Matrix<double>& matrix) {
  if (auto symmetric = identical(matrix, transposed(matrix)); !symmetric) return symmetric;
  const std::vector<double> all = eigenvalues(values_of(matrix));
  if (all.empty() || all.front() >= -1e-9 * all.back()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "eigenvalues from " << all.front() << " to " << all.back();
}

}  // namespace espalier::test
