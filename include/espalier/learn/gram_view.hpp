#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"

namespace espalier {

/// The examples of a Gram matrix to learn from: all of them, or some, so that the folds of a
/// cross-validation share one matrix. Refers to the matrix, which must outlive it. Only reads: one
/// may serve many threads.
class GramView {
 public:
  /// All examples. The matrix must be square, and is taken to be symmetric.
  explicit GramView(const Matrix<float>& gram);
  explicit GramView(const Matrix<float>&&) = delete;  // it would be gone

  /// Those whose rows are named, in this order; an example may come twice.
  GramView(const Matrix<float>& gram, std::span<const std::uint32_t> examples);

  std::size_t size() const { return examples_.size(); }
  const Matrix<float>& gram() const { return *gram_; }

  /// The row (and column) of the matrix where the kernels of one example stand.
  std::uint32_t example(std::size_t i) const { return examples_[i]; }
  std::span<const std::uint32_t> examples() const { return examples_; }
  float operator()(std::size_t i, std::size_t j) const {
    return (*gram_)(examples_[i], examples_[j]);
  }

  /// Some of these examples, by their positions in this view.
  GramView select(std::span<const std::uint32_t> positions) const;

  /// Throws an Error that names two examples whose kernel is infinite or not a number, if there are
  /// any. O(size^2), far less than learning.
  void check_finite() const;

 private:
  const Matrix<float>* gram_;
  std::vector<std::uint32_t> examples_;
};

}  // namespace espalier
