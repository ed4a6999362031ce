#include "espalier/base/matrix.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <new>

#include "base/pages.hpp"
#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"

namespace espalier {

namespace {

void* allocate(std::size_t rows, std::size_t columns, std::size_t element) {
  try {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(rows, columns, &bytes) ||
        __builtin_mul_overflow(bytes, element, &bytes)) {
      throw std::bad_alloc();
    }
    return allocate_pages(bytes);
  } catch (const std::bad_alloc&) {
    const double gigabytes = 1e-9 * static_cast<double>(element) * static_cast<double>(rows) *
                             static_cast<double>(columns);
    throw OutOfMemory(fmt::format(
        "out of memory: a matrix of {} x {} numbers takes {:.3g} GB; use fewer examples",
        grouped(rows), grouped(columns), gigabytes));
  }
}

}  // namespace

template <class T>
Matrix<T>::Matrix(std::size_t rows, std::size_t columns)
    : rows_(rows),
      columns_(columns),
      capacity_(rows * columns),
      data_(static_cast<T*>(allocate(rows, columns, sizeof(T)))) {}

template <class T>
void Matrix<T>::resize(std::size_t rows, std::size_t columns) {
  std::size_t values = 0;
  const bool fits =
      !__builtin_mul_overflow(rows, columns, &values) && data_ != nullptr && values <= capacity_;
  if (!fits) {
    *this = Matrix();  // before the new memory is allocated
    *this = Matrix(rows, columns);
  }
  rows_ = rows;
  columns_ = columns;
}

template <class T>
void Matrix<T>::Free::operator()(T* data) const {
  std::free(data);
}

template class Matrix<float>;
template class Matrix<double>;
template class Matrix<std::int8_t>;

void release_matrix(void* data) { std::free(data); }

}  // namespace espalier
