#pragma once

#include <cstddef>

#include "engine/bags.hpp"
#include "espalier/base/matrix.hpp"

namespace espalier {

/// View of vectors of the same dimension, contiguous in memory.
template <class T>
struct DenseRows {
  DenseRows(const T* first, std::size_t rows, std::size_t numbers)
      : data(first), count(rows), dimension(numbers) {}
  // NOLINTNEXTLINE(google-explicit-constructor): a matrix is its rows
  DenseRows(const Matrix<T>& all) : DenseRows(all.data(), all.rows(), all.columns()) {}
  DenseRows(const Matrix<T>& all, Slice some)
      : DenseRows(all.data() + some.begin * all.columns(), some.size(), all.columns()) {}

  const T* row(std::size_t i) const { return data + i * dimension; }

  const T* data;
  std::size_t count;
  std::size_t dimension;
};

/// Overwrites `out` with the dot products of rows and columns, in double precision. The order of a
/// sum depends only on the dimension: the bits do not depend on the block.
void dense_product(const DenseRows<float>& rows, const DenseRows<float>& columns,
                   BlockView<double> out);
void dense_product(const DenseRows<float>& rows, const DenseRows<double>& columns,
                   BlockView<double> out);
void dense_product(const DenseRows<double>& rows, const DenseRows<double>& columns,
                   BlockView<double> out);

}  // namespace espalier
