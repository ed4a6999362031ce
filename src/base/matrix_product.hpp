#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/thread_pool.hpp"

namespace espalier {

/// A matrix in either order: element (i, j) is data[i * row + j * column].
template <class T>
struct Strided {
  const T* data;
  std::size_t row;
  std::size_t column;

  Strided transposed() const { return {data, column, row}; }
};

/// Multiplies matrices of float or double. The order of a sum depends on its length alone, and no
/// product is fused with a sum: the bits are the same on every machine, for any number of threads,
/// and for a row alone as among others.
template <class T>
class MatrixProduct {
 public:
  explicit MatrixProduct(ThreadPool& pool) : pool_(pool), left_(pool.size()) {}

  /// Overwrites `out`, row by row, with a b: rows x depth times depth x columns. Then calls
  /// finish(begin, end) for some rows at a time, by the thread that has them in its cache.
  void operator()(std::size_t rows, std::size_t columns, std::size_t depth, Strided<T> a,
                  Strided<T> b, T* out,
                  const std::function<void(std::size_t begin, std::size_t end)>& finish = {});

 private:
  struct Job;
  void pack_right(const Job& job, ThreadPool& pool);
  void multiply_rows(const Job& job, std::size_t member, std::size_t begin, std::size_t end);

  ThreadPool& pool_;
  ThreadPool alone_{1};
  std::vector<T> right_;              ///< a slab of b, in panels as wide as a tile
  std::vector<std::vector<T>> left_;  ///< per member: some rows of a slab of a, by tiles
};

extern template class MatrixProduct<float>;
extern template class MatrixProduct<double>;

}  // namespace espalier
