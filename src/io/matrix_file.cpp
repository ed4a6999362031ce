#include "espalier/io/matrix_file.hpp"

#include <fmt/format.h>

#include "espalier/base/error.hpp"
#include "io/npy.hpp"
#include "io/output_file.hpp"

namespace espalier {

namespace {

/// The bytes of all values. Throws Error if no file can be that large.
template <class T>
std::size_t bytes_of_values(const MatrixShape& shape) {
  std::size_t bytes = sizeof(T);
  for (const std::size_t factor : {shape.matrices, shape.rows, shape.columns}) {
    if (__builtin_mul_overflow(bytes, factor, &bytes) || bytes > PTRDIFF_MAX / 2) {
      throw Error(fmt::format("{} matrices of {} x {} values are too large for a file",
                              shape.matrices, shape.rows, shape.columns));
    }
  }
  return bytes;
}

}  // namespace

template <class T>
MatrixFile<T>::MatrixFile(const std::string& path, const MatrixShape& shape,
                          const std::string& kept)
    : shape_(shape) {
  const std::string header = npy_header<T>(shape);
  begin_ = header.size();
  const std::size_t bytes = begin_ + bytes_of_values<T>(shape);
  file_ =
      kept.empty() ? std::make_unique<OutputFile>(path) : std::make_unique<OutputFile>(path, kept);
  file_->reserve(bytes);
  file_->write_at(0, header.data(), header.size());
}

template <class T>
MatrixFile<T>::~MatrixFile() = default;

template <class T>
std::size_t MatrixFile<T>::offset(std::size_t matrix, std::size_t row, std::size_t column) const {
  return begin_ + ((matrix * shape_.rows + row) * shape_.columns + column) * sizeof(T);
}

template <class T>
void MatrixFile<T>::write(std::size_t matrix, std::size_t row, std::size_t column,
                          std::span<const T> values) {
  file_->write_at(offset(matrix, row, column), values.data(), values.size_bytes());
}

template <class T>
void MatrixFile<T>::read(std::size_t matrix, std::size_t row, std::size_t column,
                         std::span<T> values) const {
  file_->read_at(offset(matrix, row, column), values.data(), values.size_bytes());
}

template <class T>
void MatrixFile<T>::commit() {
  file_->commit();
}

template <class T>
void MatrixFile<T>::remove() {
  file_->remove();
}

template class MatrixFile<float>;
template class MatrixFile<double>;

}  // namespace espalier
