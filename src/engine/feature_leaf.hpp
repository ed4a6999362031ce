#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/leaf.hpp"
#include "espalier/base/sparse_matrix.hpp"

namespace espalier {

/// Kernels that are dot products of sparse features, or functions of them: one for each setting of
/// a sweep.
struct FeatureKernels {
  std::shared_ptr<const SparseMatrix> rows;
  std::shared_ptr<const SparseMatrix> columns;
  /// Per setting: the weights of the features; none if they are all 1.
  std::vector<std::vector<double>> weights;
  /// The same in extended range; null if all values fit doubles.
  std::function<std::vector<Scaled>(std::size_t setting)> scaled_weights;
  /// Turns the dot products of a row and some columns into values; null if they are the values.
  std::function<void(std::size_t setting, std::size_t row, Slice columns, double* values)> finish;
};

Leaf make_feature_leaf(FeatureKernels kernels);

}  // namespace espalier
