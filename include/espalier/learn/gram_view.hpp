#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/matrix.hpp"

namespace espalier {

/// The training examples of a Gram matrix: all of them, or some, so that cross-validation folds
/// share one matrix. Refers to the matrix, which must outlive it. Safe to share between threads.
class GramView {
 public:
  /// All examples. The matrix must be square and symmetric.
  explicit GramView(const Matrix<float>& gram);
  explicit GramView(const Matrix<float>&&) = delete;  // would dangle

  /// The examples with these rows, in this order; repetitions are allowed.
  GramView(const Matrix<float>& gram, std::span<const std::uint32_t> examples);

  std::size_t size() const { return examples_.size(); }
  const Matrix<float>& gram() const { return *gram_; }

  /// The row (and column) of an example in the matrix.
  std::uint32_t example(std::size_t i) const { return examples_[i]; }
  std::span<const std::uint32_t> examples() const { return examples_; }
  float operator()(std::size_t i, std::size_t j) const {
    return (*gram_)(examples_[i], examples_[j]);
  }

  /// A subset, by positions in this view.
  GramView select(std::span<const std::uint32_t> positions) const;

  /// Throws Error with the two examples if a kernel is infinite or NaN. O(size^2), far less than
  /// training.
  void check_finite() const;

 private:
  const Matrix<float>* gram_;
  std::vector<std::uint32_t> examples_;
};

}  // namespace espalier
