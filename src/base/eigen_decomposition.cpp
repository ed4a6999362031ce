#include "base/eigen_decomposition.hpp"

#include <Eigen/Eigenvalues>

#include "espalier/base/error.hpp"

namespace espalier {

EigenDecomposition decompose_symmetric(const Matrix<double>& matrix) {
  // Row-major and column-major are the same for a symmetric matrix, except for the triangle read.
  const auto size = static_cast<Eigen::Index>(matrix.rows());
  const Eigen::Map<const Eigen::MatrixXd> columns(matrix.data(), size, size);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(columns.transpose());
  if (solver.info() != Eigen::Success) throw Error("the eigenvalues of a matrix were not found");
  EigenDecomposition out{{}, Matrix<double>(matrix.rows(), matrix.rows())};
  for (std::size_t k = 0; k < matrix.rows(); ++k) {
    const Eigen::Index from = size - 1 - static_cast<Eigen::Index>(k);  // Eigen's are ascending
    out.values.push_back(solver.eigenvalues()[from]);
    const auto vector = solver.eigenvectors().col(from);
    for (Eigen::Index i = 0; i < size; ++i) out.vectors(k, static_cast<std::size_t>(i)) = vector[i];
  }
  return out;
}

}  // namespace espalier
