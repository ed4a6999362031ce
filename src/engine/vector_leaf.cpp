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
  std::vector<double> row_lengths;
  std::vector<double> column_lengths;
};

/// The kernel as a function of the dot product and the squared lengths of two vectors.
struct FromDotProduct {
  const VectorLeafData& data;
  std::size_t row, column;
  double dot;

  double operator()(const LinearOptions&) const { return dot; }
  double operator()(const PolynomialOptions& o) const {
    return std::pow(o.scale * dot + o.offset, o.degree);
  }
  double operator()(const RbfOptions& o) const {
    const double lengths = data.row_lengths[row] + data.column_lengths[column];
    double distance = lengths - 2 * dot;
    // The vectors are close relative to their length: cancellation lost too many bits.
    if (distance < 1e-4 * lengths) {
      distance = squared_distance(data.rows.row(row), data.columns.row(column));
    }
    return std::exp(-o.gamma * distance);
  }
  double operator()(const CosineOptions&) const {
    const double lengths =
        std::sqrt(data.row_lengths[row]) * std::sqrt(data.column_lengths[column]);
    return lengths > 0 ? dot / lengths : 0;
  }
};

class VectorWorker final : public LeafWorker {
 public:
  explicit VectorWorker(const VectorLeafData& data) : data_(data), product_(data.rows, {}) {}

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
    return 48 * (data_.columns.begins()[columns.end] - data_.columns.begins()[columns.begin]);
  }

 private:
  void set_rows(std::size_t setting, Slice rows, BlockView<double> out) {
    const Slice columns = columns_.slice();
    const auto& options = data_.settings[setting].options;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double* const row = out.row(i);
      product_.set_row(rows.begin + i, columns_, row);
      if (std::holds_alternative<LinearOptions>(options)) continue;
      for (std::size_t j = 0; j < columns.size(); ++j) {
        row[j] =
            std::visit(FromDotProduct{data_, rows.begin + i, columns.begin + j, row[j]}, options);
      }
    }
  }

  const VectorLeafData& data_;
  FeatureProduct<double> product_;
  FeatureColumns columns_;
};

class VectorLeaf final : public Leaf {
 public:
  explicit VectorLeaf(VectorLeafData data) : data_(std::move(data)) {}
  std::unique_ptr<LeafWorker> worker() const override {
    return std::make_unique<VectorWorker>(data_);
  }

 private:
  VectorLeafData data_;
};

}  // namespace

std::unique_ptr<Leaf> make_vector_leaf(VectorInput input, std::vector<VectorKernelNode> settings) {
  auto row_lengths = squared_lengths(input.rows);
  auto column_lengths = squared_lengths(input.columns);
  return std::make_unique<VectorLeaf>(
      VectorLeafData{std::move(input.rows), std::move(input.columns), std::move(settings),
                     std::move(row_lengths), std::move(column_lengths)});
}

}  // namespace espalier
