#pragma once

#include <variant>

#include "espalier/base/matrix.hpp"
#include "espalier/base/sparse_matrix.hpp"

namespace espalier {

/// Feature vectors, sparse or dense, one row per example.
using FeatureMatrix = std::variant<SparseMatrix, Matrix<float>>;

}  // namespace espalier
