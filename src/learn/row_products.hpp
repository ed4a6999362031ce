#pragma once

#include <cstddef>

#include "espalier/base/matrix.hpp"
#include "espalier/base/sparse_matrix.hpp"
#include "learn/compact_rows.hpp"

namespace espalier {

// Operations on a row of features, overloaded for dense and sparse rows; of CompactRows only the
// shared features count. Dense rows are float, half the memory to read; everything else is double.
// Sums have fixed lanes: the bits do not depend on the SIMD width of the processor.

/// The sum of row[k] * weights[k].
double product(const Matrix<float>& rows, std::size_t i, const double* weights);
double product(const SparseMatrix& rows, std::size_t i, const double* weights);
double product(const CompactRows& rows, RowPlace at, const double* weights);

/// The sum of row[k]^2.
double self_product(const Matrix<float>& rows, std::size_t i);
double self_product(const SparseMatrix& rows, std::size_t i);
double self_product(const CompactRows& rows, RowPlace at);

/// weights[k] += step * row[k].
void add_row(const Matrix<float>& rows, std::size_t i, double step, double* weights);
void add_row(const CompactRows& rows, RowPlace at, double step, double* weights);

/// Prefetches a row, or the weights of its features. Sparse rows are too short for the hardware
/// prefetcher.
inline void prefetch(const Matrix<float>&, std::size_t) {}
inline void prefetch_weights(const Matrix<float>&, std::size_t, const double*) {}
inline void prefetch(const CompactRows& rows, RowPlace at) {
  constexpr std::size_t cache_line = 64 / sizeof(double);
  const auto [columns, values] = rows.row(at);
  for (std::size_t k = 0; k < values.size(); k += cache_line) {
    __builtin_prefetch(&columns[k]);
    __builtin_prefetch(&values[k]);
  }
}
inline void prefetch_weights(const CompactRows& rows, RowPlace at, const double* weights) {
  for (const std::uint32_t column : rows.row(at).columns) __builtin_prefetch(weights + column);
}

}  // namespace espalier
