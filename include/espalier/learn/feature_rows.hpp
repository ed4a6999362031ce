#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "espalier/base/feature_matrix.hpp"

namespace espalier {

/// The feature vectors of examples: all rows of a matrix, dense or sparse, or some, so that the
/// folds of a cross-validation share one matrix. Refers to the matrix, which must outlive it. Only
/// reads: one may serve many threads.
class FeatureRows {
 public:
  /// All rows.
  explicit FeatureRows(const Matrix<float>& dense);
  explicit FeatureRows(const SparseMatrix& sparse);
  explicit FeatureRows(const FeatureMatrix& either);
  explicit FeatureRows(const Matrix<float>&&) = delete;  // it would be gone
  explicit FeatureRows(const SparseMatrix&&) = delete;
  explicit FeatureRows(const FeatureMatrix&&) = delete;

  std::size_t size() const { return examples_.size(); }
  std::size_t columns() const;

  /// The row of the matrix where an example stands.
  std::uint32_t example(std::size_t i) const { return examples_[i]; }
  std::span<const std::uint32_t> examples() const { return examples_; }

  /// Some of these examples, by their positions in these rows, in this order; one may come twice.
  FeatureRows select(std::span<const std::uint32_t> positions) const;

  /// Throws an Error that names an example with a value that is infinite or not a number, if there
  /// is one. O(values).
  void check_finite() const;

  /// use(matrix), with the Matrix<float> or the SparseMatrix: one decision for all that follows.
  template <class Use>
  decltype(auto) with_matrix(Use&& use) const {
    return std::visit([&](const auto* matrix) -> decltype(auto) { return use(*matrix); }, matrix_);
  }

 private:
  std::variant<const Matrix<float>*, const SparseMatrix*> matrix_;
  std::vector<std::uint32_t> examples_;
};

}  // namespace espalier
