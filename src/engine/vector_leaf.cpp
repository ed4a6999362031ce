#include <algorithm>
#include <cmath>

#include "engine/feature_leaf.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

namespace {

std::vector<double> squared_lengths(const SparseMatrix& features) {
  std::vector<double> out;
  for (std::size_t i = 0; i < features.rows(); ++i) {
    double sum = 0;
    for (const double value : features.row(i).values) sum += value * value;
    out.push_back(sum);
  }
  return out;
}

/// |x - y|^2, computed feature by feature.
double squared_distance(const SparseMatrix::Row& a, const SparseMatrix::Row& b) {
  double sum = 0;
  std::size_t x = 0;
  std::size_t y = 0;
  while (x < a.values.size() || y < b.values.size()) {
    const bool x_left = x < a.values.size(), y_left = y < b.values.size();
    const bool take_x = x_left && (!y_left || a.columns[x] <= b.columns[y]);
    const bool take_y = y_left && (!x_left || b.columns[y] <= a.columns[x]);
    const double difference = (take_x ? a.values[x] : 0) - (take_y ? b.values[y] : 0);
    sum += difference * difference;
    if (take_x) ++x;
    if (take_y) ++y;
  }
  return sum;
}

// The kernels as functions of a dot product, the squared lengths of the two vectors, and their
// distance.

double value(const LinearOptions&, double dot, double, double, auto&&) { return dot; }

double value(const PolynomialOptions& options, double dot, double, double, auto&&) {
  return std::pow(options.scale * dot + options.offset, options.degree);
}

double value(const RbfOptions& options, double dot, double x, double y, auto&& distance) {
  const double lengths = x + y;
  const double difference = lengths - 2 * dot;
  // The vectors are close relative to their length: cancellation lost too many bits.
  return std::exp(-options.gamma * (difference < 1e-4 * lengths ? distance() : difference));
}

double value(const CosineOptions&, double dot, double x, double y, auto&&) {
  const double lengths = std::sqrt(x) * std::sqrt(y);
  return lengths > 0 ? dot / lengths : 0;
}

}  // namespace

Leaf make_vector_leaf(SparseMatrix row_vectors, SparseMatrix column_vectors,
                      std::vector<VectorKernelNode> settings) {
  const auto rows = std::make_shared<const SparseMatrix>(std::move(row_vectors));
  const auto columns = std::make_shared<const SparseMatrix>(std::move(column_vectors));
  FeatureKernels kernels{rows, columns, {}, nullptr, nullptr};
  kernels.weights.resize(settings.size());
  kernels.finish = [=, row_lengths = squared_lengths(*rows),
                    column_lengths = squared_lengths(*columns), all = std::move(settings)](
                       std::size_t setting, std::size_t row, Slice some, double* values) {
    std::visit(
        [&]<class Options>(const Options& options) {
          if (std::is_same_v<Options, LinearOptions>) return;
          for (std::size_t j = some.begin; j < some.end; ++j, ++values) {
            *values = value(options, *values, row_lengths[row], column_lengths[j],
                            [&] { return squared_distance(rows->row(row), columns->row(j)); });
          }
        },
        all[setting].options);
  };
  return make_feature_leaf(std::move(kernels));
}

}  // namespace espalier
