#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace espalier {

/// A dense row-major matrix. Its memory is not initialised.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns);

  /// Changes the size; the values are undefined afterwards. Uses the same memory if it is large
  /// enough, which saves clearing new pages.
  void resize(std::size_t rows, std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::span<T> row(std::size_t i) { return {data_.get() + i * columns_, columns_}; }
  std::span<const T> row(std::size_t i) const { return {data_.get() + i * columns_, columns_}; }
  T& operator()(std::size_t i, std::size_t j) { return data_[i * columns_ + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return data_[i * columns_ + j]; }

  /// Transfers ownership of the memory to the caller, to be freed with release_matrix().
  T* release() {
    rows_ = columns_ = capacity_ = 0;
    return data_.release();
  }

 private:
  struct Free {
    void operator()(T* data) const;
  };
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t capacity_ = 0;  ///< in values
  std::unique_ptr<T[], Free> data_;
};

extern template class Matrix<float>;
extern template class Matrix<double>;
extern template class Matrix<std::int8_t>;

/// Frees memory returned by Matrix::release().
void release_matrix(void* data);

}  // namespace espalier
