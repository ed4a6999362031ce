#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "base/pages.hpp"
#include "espalier/base/context.hpp"
#include "espalier/base/matrix.hpp"
#include "espalier/base/matrix_storage.hpp"
#include "espalier/data/dataset.hpp"
#include "espalier/engine/fitted_kernel.hpp"

namespace espalier {

/// A Gram matrix of which only the lower triangle is in memory, in square blocks.
class PackedGram final : private MatrixStorage<float> {
 public:
  /// Computes it. Throws KernelNotFinite.
  PackedGram(const FittedKernel& kernel, const Dataset& data, const Context& context);

  /// Bytes for that many examples.
  static std::size_t bytes(std::size_t examples);

  /// Sets `out` to the rows and columns of some examples.
  void select(std::span<const std::uint32_t> examples, Matrix<float>& out,
              const Context& context) const;
  /// As KernelSource::sums().
  Matrix<double> sums(std::span<const std::uint32_t> examples, const Matrix<double>& coefficients,
                      std::span<const std::uint32_t> targets, const Context& context) const;

 private:
  class Product;

  static constexpr std::size_t side = 512;  ///< of a block
  static std::size_t blocks_along(std::size_t examples) { return (examples + side - 1) / side; }

  void write(std::size_t, std::size_t row, std::size_t column,
             std::span<const float> values) override;
  void read(std::size_t, std::size_t row, std::size_t column,
            std::span<float> values) const override;
  /// Where a block of the lower triangle begins.
  static std::size_t offset(std::size_t i, std::size_t j) {
    return (i * (i + 1) / 2 + j) * side * side;
  }
  float at(std::size_t i, std::size_t j) const {
    if (i < j) std::swap(i, j);
    return values_.data()[offset(i / side, j / side) + i % side * side + j % side];
  }

  std::size_t size_;
  PageArray<float> values_;
};

}  // namespace espalier
