#include "espalier/base/matrix.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace espalier {

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

void* allocate(std::size_t rows, std::size_t columns, std::size_t element) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(rows, columns, &bytes) ||
      __builtin_mul_overflow(bytes, element, &bytes) || bytes > SIZE_MAX / 2) {
    throw std::bad_alloc();
  }
  // Large matrices are touched once from end to end: small pages would cost a fault each.
  const bool large = bytes >= 4 * huge_page;
  const std::size_t alignment = large ? huge_page : 64;
  const std::size_t rounded = (bytes / alignment + 1) * alignment;
  void* const data = std::aligned_alloc(alignment, rounded);
  if (data == nullptr) throw std::bad_alloc();
  if (large) madvise(data, rounded, MADV_HUGEPAGE);  // a wish: nothing is lost when it is refused
  return data;
}

}  // namespace

template <class T>
Matrix<T>::Matrix(std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns), data_(static_cast<T*>(allocate(rows, columns, sizeof(T)))) {}

template <class T>
void Matrix<T>::Free::operator()(T* data) const {
  std::free(data);
}

template class Matrix<float>;
template class Matrix<double>;
template class Matrix<std::int8_t>;

void release_matrix(void* data) { std::free(data); }

}  // namespace espalier
