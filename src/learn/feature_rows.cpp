#include "espalier/learn/feature_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"
#include "learn/row_products.hpp"

namespace espalier {

FeatureRows::FeatureRows(const Matrix<float>& dense) : matrix_(&dense), examples_(dense.rows()) {
  std::iota(examples_.begin(), examples_.end(), 0U);
}

FeatureRows::FeatureRows(const SparseMatrix& sparse) : matrix_(&sparse), examples_(sparse.rows()) {
  std::iota(examples_.begin(), examples_.end(), 0U);
}

FeatureRows::FeatureRows(const FeatureMatrix& either)
    : FeatureRows(std::visit([](const auto& matrix) { return FeatureRows(matrix); }, either)) {}

std::size_t FeatureRows::columns() const {
  return with_matrix([](const auto& matrix) { return matrix.columns(); });
}

FeatureRows FeatureRows::select(std::span<const std::uint32_t> positions) const {
  FeatureRows out = *this;
  out.examples_.clear();
  out.examples_.reserve(positions.size());
  for (const std::uint32_t p : positions) out.examples_.push_back(examples_.at(p));
  return out;
}

void FeatureRows::check_finite() const {
  with_matrix([&](const auto& matrix) {
    for (const std::uint32_t e : examples_) {
      if (std::isfinite(self_product(matrix, e))) continue;
      throw Error(
          fmt::format("the features of example {} are infinite or NaN: training needs finite "
                      "features",
                      e + 1));
    }
  });
}

}  // namespace espalier
