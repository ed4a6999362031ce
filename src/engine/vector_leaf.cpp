#include <algorithm>
#include <cmath>

#include "engine/feature_product.hpp"
#include "engine/leaf.hpp"
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

struct VectorLeafData {
  SparseMatrix rows;
  SparseMatrix columns;
  std::vector<VectorKernelNode> settings;
  std::vector<double> row_lengths = squared_lengths(rows);
  std::vector<double> column_lengths = squared_lengths(columns);

  /// The kernel of a row and a column, as a function of their dot product.
  double kernel(const LinearOptions&, std::size_t, std::size_t, double dot) const { return dot; }
  double kernel(const PolynomialOptions& o, std::size_t, std::size_t, double dot) const {
    return std::pow(o.scale * dot + o.offset, o.degree);
  }
  double kernel(const RbfOptions& o, std::size_t row, std::size_t column, double dot) const {
    const double lengths = row_lengths[row] + column_lengths[column];
    double distance = lengths - 2 * dot;
    // The vectors are close relative to their length: cancellation lost too many bits.
    if (distance < 1e-4 * lengths) distance = squared_distance(rows.row(row), columns.row(column));
    return std::exp(-o.gamma * distance);
  }
  double kernel(const CosineOptions&, std::size_t row, std::size_t column, double dot) const {
    const double lengths = std::sqrt(row_lengths[row]) * std::sqrt(column_lengths[column]);
    return lengths > 0 ? dot / lengths : 0;
  }
};

class VectorWorker final : public LeafWorker {
 public:
  explicit VectorWorker(const VectorLeafData& data) : data_(data) {}

  void start(Slice, Slice columns) override { columns_.build(data_.columns, columns); }

  void rows(Slice rows, std::span<const BlockView<double>> outs) override {
    for (std::size_t s = 0; s < outs.size(); ++s) set_rows(s, rows, outs[s]);
  }

  void scaled_block(std::size_t setting, Slice rows, Slice columns,
                    BlockView<Scaled> out) override {
    std::vector<double> values(rows.size() * columns.size());
    const BlockView<double> plain = {values.data(), columns.size()};
    start(rows, columns);
    set_rows(setting, rows, plain);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(plain.row(i), columns.size(), out.row(i));
    }
  }

  std::size_t bytes(Slice, Slice columns, std::size_t) override {
    return FeatureColumns<double>::bytes(data_.columns, columns);
  }

 private:
  void set_rows(std::size_t setting, Slice rows, BlockView<double> out) {
    const Slice columns = columns_.slice();
    const auto& options = data_.settings[setting].options;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double* const row = out.row(i);
      feature_product<double>(data_.rows, rows.begin + i, {}, columns_, row);
      if (std::holds_alternative<LinearOptions>(options)) continue;
      std::visit(
          [&](const auto& o) {
            for (std::size_t j = 0; j < columns.size(); ++j) {
              row[j] = data_.kernel(o, rows.begin + i, columns.begin + j, row[j]);
            }
          },
          options);
    }
  }

  const VectorLeafData& data_;
  FeatureColumns<double> columns_;
};

}  // namespace

Leaf make_vector_leaf(SparseMatrix rows, SparseMatrix columns,
                      std::vector<VectorKernelNode> settings) {
  const auto data = std::make_shared<const VectorLeafData>(
      VectorLeafData{std::move(rows), std::move(columns), std::move(settings)});
  return {[data] { return std::make_unique<VectorWorker>(*data); }};
}

}  // namespace espalier
