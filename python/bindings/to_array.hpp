#pragma once

#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "espalier/base/matrix.hpp"

namespace espalier::python {

/// The memory of the matrix as an array that NumPy then owns; `shape` has as many elements.
template <class T>
nanobind::object to_array(Matrix<T> matrix, const std::vector<std::size_t>& shape) {
  T* const data = matrix.data();
  const nanobind::capsule owner(data, [](void* memory) noexcept { release_matrix(memory); });
  (void)matrix.release();
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, T>(data, shape.size(), shape.data(), owner));
}

template <class T>
nanobind::object to_array(Matrix<T> matrix) {
  const std::vector shape = {matrix.rows(), matrix.columns()};
  return to_array(std::move(matrix), shape);
}

/// A copy of these values.
template <class T>
nanobind::object to_array(std::span<const T> values) {
  auto copy = std::make_unique<T[]>(values.size());
  std::ranges::copy(values, copy.get());
  T* const data = copy.release();
  const nanobind::capsule owner(data,
                                [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(data, {values.size()}, owner));
}

}  // namespace espalier::python
