#pragma once

#include <cstddef>
#include <span>

namespace espalier {

/// Matrices of one size that need not fit memory: parts of their rows are written and read in any
/// order. Threads may write and read different parts at the same time.
template <class T>
class MatrixStorage {
 public:
  virtual ~MatrixStorage() = default;
  /// Stores values of one row of a matrix, starting at this column.
  virtual void write(std::size_t matrix, std::size_t row, std::size_t column,
                     std::span<const T> values) = 0;
  /// Fills `values` with what was stored there.
  virtual void read(std::size_t matrix, std::size_t row, std::size_t column,
                    std::span<T> values) const = 0;
};

}  // namespace espalier
