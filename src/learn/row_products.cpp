#include "learn/row_products.hpp"

#include "base/simd.hpp"

namespace espalier {

namespace {

constexpr std::size_t lanes = 8;

/// The sum of term(k) for k below count.
template <class Term>
inline double lane_sum(std::size_t count, Term&& term) {
  double sums[lanes] = {};
  const std::size_t whole = count - count % lanes;
  for (std::size_t k = 0; k < whole; k += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += term(k + l);
  }
  for (std::size_t k = whole; k < count; ++k) sums[k - whole] += term(k);
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

ESPALIER_SIMD double dense_product(const float* row, const double* weights, std::size_t count) {
  return lane_sum(count, [=](std::size_t k) { return static_cast<double>(row[k]) * weights[k]; });
}

ESPALIER_SIMD void dense_add(const float* row, double step, double* __restrict weights,
                             std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) weights[k] += step * static_cast<double>(row[k]);
}

double sparse_product(const SparseMatrix::Row& row, const double* weights) {
  const std::uint32_t* const at = row.columns.data();
  const double* const values = row.values.data();
  return lane_sum(row.values.size(), [=](std::size_t k) { return values[k] * weights[at[k]]; });
}

template <class T>
double sum_of_squares(std::span<const T> values) {
  return lane_sum(values.size(), [&](std::size_t k) {
    const auto value = static_cast<double>(values[k]);
    return value * value;
  });
}

}  // namespace

double product(const Matrix<float>& rows, std::size_t i, const double* weights) {
  return dense_product(rows.row(i).data(), weights, rows.columns());
}

double product(const SparseMatrix& rows, std::size_t i, const double* weights) {
  return sparse_product(rows.row(i), weights);
}

double product(const CompactRows& rows, RowPlace at, const double* weights) {
  return sparse_product(rows.row(at), weights);
}

double self_product(const Matrix<float>& rows, std::size_t i) {
  return sum_of_squares(rows.row(i));
}

double self_product(const SparseMatrix& rows, std::size_t i) {
  return sum_of_squares(rows.row(i).values);
}

double self_product(const CompactRows& rows, RowPlace at) {
  return sum_of_squares(rows.row(at).values);
}

void add_row(const Matrix<float>& rows, std::size_t i, double step, double* weights) {
  dense_add(rows.row(i).data(), step, weights, rows.columns());
}

void add_row(const CompactRows& rows, RowPlace at, double step, double* weights) {
  const auto [columns, values] = rows.row(at);
  for (std::size_t k = 0; k < values.size(); ++k) {
    weights[columns[k]] += step * values[k];
  }
}

}  // namespace espalier
