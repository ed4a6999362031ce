#include "espalier/model/landmark_scores.hpp"

#include <algorithm>

#include "embed/row_product.hpp"

namespace espalier {

Matrix<double> LandmarkScores::operator()(const Matrix<double>& kernels,
                                          const Context& context) const {
  const DenseRows<double> rows(projection.data(), projection.size() / kernels.columns(),
                               kernels.columns());
  Matrix<float> vectors(kernels.rows(), rows.count);
  row_product(kernels, rows, vectors.data(), context);
  const Matrix<float> scores = network(vectors, context);
  Matrix<double> out(scores.rows(), scores.columns());
  std::copy_n(scores.data(), scores.rows() * scores.columns(), out.data());
  return out;
}

}  // namespace espalier
