#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "espalier/base/feature_matrix.hpp"

namespace espalier {

/// The feature vectors of examples: all rows of a dense or sparse matrix, or some, so that
/// cross-validation folds share one matrix. Refers to the matrix, which must outlive it. Safe to
/// share between threads.
class FeatureRows {
 public:
  /// All rows.
  explicit FeatureRows(const Matrix<float>& dense);
  explicit FeatureRows(const SparseMatrix& sparse);
  explicit FeatureRows(const FeatureMatrix& either);
  explicit FeatureRows(const Matrix<float>&&) = delete;  // would dangle
  explicit FeatureRows(const SparseMatrix&&) = delete;
  explicit FeatureRows(const FeatureMatrix&&) = delete;

  std::size_t size() const { return examples_.size(); }
  std::size_t columns() const;

  /// The row of an example in the matrix.
  std::uint32_t example(std::size_t i) const { return examples_[i]; }
  std::span<const std::uint32_t> examples() const { return examples_; }

  /// A subset, by positions in these rows, in this order; repetitions are allowed.
  FeatureRows select(std::span<const std::uint32_t> positions) const;

  /// Throws Error with the example if a value is infinite or NaN. O(values).
  void check_finite() const;

  /// Calls use(matrix) with the Matrix<float> or the SparseMatrix.
  template <class Use>
  decltype(auto) with_matrix(Use&& use) const {
    return std::visit([&](const auto* matrix) -> decltype(auto) { return use(*matrix); }, matrix_);
  }

 private:
  std::variant<const Matrix<float>*, const SparseMatrix*> matrix_;
  std::vector<std::uint32_t> examples_;
};

}  // namespace espalier
