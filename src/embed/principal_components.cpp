#include "espalier/embed/principal_components.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/eigen_decomposition.hpp"
#include "embed/row_product.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// The centred matrix, transposed.
Matrix<double> centred_columns(const Matrix<float>& vectors) {
  Matrix<double> out(vectors.columns(), vectors.rows());
  for (std::size_t k = 0; k < vectors.columns(); ++k) {
    double mean = 0;
    for (std::size_t i = 0; i < vectors.rows(); ++i) mean += static_cast<double>(vectors(i, k));
    mean /= static_cast<double>(vectors.rows());
    for (std::size_t i = 0; i < vectors.rows(); ++i) {
      out(k, i) = static_cast<double>(vectors(i, k)) - mean;
    }
  }
  return out;
}

}  // namespace

PrincipalComponents principal_components(const Matrix<float>& vectors, std::size_t components,
                                         const Context& context) {
  if (vectors.rows() == 0) throw Error("there are no examples to compare");
  if (components == 0 || components > vectors.columns()) {
    throw Error("there are from 1 to " + std::to_string(vectors.columns()) + " components, not " +
                std::to_string(components));
  }
  const Matrix<double> columns = centred_columns(vectors);
  Matrix<double> covariance(columns.rows(), columns.rows());
  row_product(columns, columns, covariance.data(), context);
  const EigenDecomposition directions = decompose_symmetric(covariance);
  const double all = std::accumulate(directions.values.begin(), directions.values.end(), 0.0);
  PrincipalComponents out{Matrix<float>(vectors.rows(), components), {}};
  std::vector<double> coordinates(vectors.rows());
  for (std::size_t c = 0; c < components; ++c) {
    out.explained_variance_ratio.push_back(all > 0 ? std::max(0.0, directions.values[c]) / all : 0);
    std::ranges::fill(coordinates, 0.0);
    for (std::size_t k = 0; k < columns.rows(); ++k) {
      for (std::size_t i = 0; i < vectors.rows(); ++i) {
        coordinates[i] += directions.vectors(c, k) * columns(k, i);
      }
    }
    const double largest =
        *std::ranges::max_element(coordinates, {}, [](double value) { return std::abs(value); });
    for (std::size_t i = 0; i < vectors.rows(); ++i) {
      out.rows(i, c) = static_cast<float>(largest < 0 ? -coordinates[i] : coordinates[i]);
    }
  }
  return out;
}

}  // namespace espalier
