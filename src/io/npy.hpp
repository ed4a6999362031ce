#pragma once

#include <string>

#include "espalier/io/matrix_file.hpp"

namespace espalier {

/// The header of a NumPy file: one matrix is a 2-d array, several are a 3-d array. T is float,
/// double or int8_t.
template <class T>
std::string npy_header(const MatrixShape& shape);

}  // namespace espalier
