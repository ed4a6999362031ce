#pragma once

#include <variant>

#include "espalier/base/matrix.hpp"
#include "espalier/base/sparse_matrix.hpp"

namespace espalier {

/// Feature vectors in the form that suits them, a row for each example.
using FeatureMatrix = std::variant<SparseMatrix, Matrix<float>>;

}  // namespace espalier
