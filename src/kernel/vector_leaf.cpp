#include <cmath>

#include "espalier/base/error.hpp"
#include "kernel/leaf.hpp"

namespace espalier {

namespace {

std::vector<double> squared_lengths(const Features& features) {
  std::vector<double> out;
  for (std::size_t i = 0; i < features.size(); ++i) {
    double sum = 0;
    for (std::uint64_t at = features.begin[i]; at < features.begin[i + 1]; ++at) {
      sum += features.values[at] * features.values[at];
    }
    out.push_back(sum);
  }
  return out;
}

/// What a kernel makes of the dot product and the squared lengths of its two vectors.
struct FromDotProduct {
  double dot, row_length, column_length;

  double operator()(const LinearOptions&) const { return dot; }
  double operator()(const PolynomialOptions& o) const {
    return std::pow(o.scale * dot + o.offset, o.degree);
  }
  double operator()(const RbfOptions& o) const {
    // Rounding can make the distance of equal vectors a little negative.
    return std::exp(-o.gamma * std::max(0.0, row_length + column_length - 2 * dot));
  }
  double operator()(const CosineOptions&) const {
    const double lengths = std::sqrt(row_length) * std::sqrt(column_length);
    return lengths > 0 ? dot / lengths : 0;
  }
};

struct VectorLeafData {
  const Features& rows;
  const Features& columns;
  VectorKernelNode setting;
  std::vector<double> row_lengths;
  std::vector<double> column_lengths;
};

class VectorWorker final : public LeafWorker {
 public:
  explicit VectorWorker(const VectorLeafData& data)
      : data_(data), product_(data.rows, data.columns, {}) {}

  void block(Slice rows, Slice columns, std::span<const BlockView<double>> outs) override {
    const BlockView<double> out = outs[0];
    for (std::size_t i = 0; i < rows.size(); ++i) std::fill_n(out.row(i), columns.size(), 0.0);
    product_.add_block(rows, columns, out);
    if (std::holds_alternative<LinearOptions>(data_.setting.options)) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double* const row = out.row(i);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        row[j] = std::visit(FromDotProduct{row[j], data_.row_lengths[rows.begin + i],
                                           data_.column_lengths[columns.begin + j]},
                            data_.setting.options);
      }
    }
  }

  void scaled_block(std::size_t, Slice rows, Slice columns, BlockView<Scaled> out) override {
    std::vector<double> values(rows.size() * columns.size());
    const BlockView<double> plain = {values.data(), columns.size()};
    block(rows, columns, {&plain, 1});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(plain.row(i), columns.size(), out.row(i));
    }
  }

  std::size_t bytes(Slice, Slice columns) override {
    return 48 * (data_.columns.begin[columns.end] - data_.columns.begin[columns.begin]);
  }

 private:
  const VectorLeafData& data_;
  FeatureProduct<double> product_;
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

std::unique_ptr<Leaf> make_vector_leaf(const Features& rows, const Features& columns,
                                       const VectorKernelNode& setting) {
  return std::make_unique<VectorLeaf>(VectorLeafData{
      rows, columns, setting, squared_lengths(rows), squared_lengths(columns)});
}

}  // namespace espalier
