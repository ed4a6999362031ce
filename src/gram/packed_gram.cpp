#include "gram/packed_gram.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/matrix_product.hpp"
#include "espalier/gram/gram.hpp"

namespace espalier {

namespace {

/// Which of some examples are in each block.
std::vector<std::vector<std::uint32_t>> by_block(std::span<const std::uint32_t> examples,
                                                 std::size_t blocks, std::size_t side) {
  std::vector<std::vector<std::uint32_t>> out(blocks);
  for (std::uint32_t k = 0; k < examples.size(); ++k) out[examples[k] / side].push_back(k);
  return out;
}

}  // namespace

std::size_t PackedGram::bytes(std::size_t examples) {
  const std::size_t blocks = blocks_along(examples);
  return sizeof(float) * side * side * blocks * (blocks + 1) / 2;
}

PackedGram::PackedGram(const FittedKernel& kernel, const Dataset& data, const Context& context)
    : size_(data.size()), values_(bytes(data.size()) / sizeof(float)) {
  gram_into<float>({&kernel, 1}, data, nullptr, static_cast<MatrixStorage<float>&>(*this), context,
                   nullptr);
}

void PackedGram::write(std::size_t, std::size_t row, std::size_t column,
                       std::span<const float> values) {
  const std::size_t end = std::min(column + values.size(), (row / side + 1) * side);
  for (std::size_t j = column; j < end;) {
    const std::size_t next = std::min(end, (j / side + 1) * side);
    float* const to = values_.data() + offset(row / side, j / side);
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(j - column),
              values.begin() + static_cast<std::ptrdiff_t>(next - column),
              to + row % side * side + j % side);
    j = next;
  }
}

void PackedGram::read(std::size_t, std::size_t row, std::size_t column,
                      std::span<float> values) const {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = at(row, column + k);
}

void PackedGram::select(std::span<const std::uint32_t> examples, Matrix<float>& out,
                        const Context& context) const {
  out.resize(examples.size(), examples.size());
  parallel(
      examples.size(), context,
      [&](std::size_t, std::size_t a) {
        for (std::size_t b = 0; b <= a; ++b) out(a, b) = out(b, a) = at(examples[a], examples[b]);
      },
      [](std::size_t a) { return static_cast<double>(a + 1); });
}

/// Sums for the targets of a block, by one thread at a time.
class PackedGram::Product {
 public:
  Product() : pool_(1), product_(pool_) {}

  /// Adds the kernels of block (i, j) to the sums: `rows` are places in `targets`, `columns` are
  /// places in `examples`.
  void add(const PackedGram& gram, std::size_t i, std::size_t j,
           std::span<const std::uint32_t> targets, std::span<const std::uint32_t> rows,
           std::span<const std::uint32_t> examples, std::span<const std::uint32_t> columns,
           const Matrix<double>& coefficients, Matrix<double>& out) {
    const bool is_mirrored = i < j;
    const float* const block = gram.values_.data() + (is_mirrored ? offset(j, i) : offset(i, j));
    kernels_.clear();
    for (const std::uint32_t r : rows) {
      const std::size_t row = targets[r] % side;
      for (const std::uint32_t c : columns) {
        const std::size_t column = examples[c] % side;
        const float value = is_mirrored ? block[column * side + row] : block[row * side + column];
        kernels_.push_back(static_cast<double>(value));
      }
    }
    const std::size_t outputs = coefficients.rows();
    weights_.clear();
    for (const std::uint32_t c : columns) {
      for (std::size_t o = 0; o < outputs; ++o) weights_.push_back(coefficients(o, c));
    }
    sums_.resize(rows.size() * outputs);
    product_(rows.size(), outputs, columns.size(), {kernels_.data(), columns.size(), 1},
             {weights_.data(), outputs, 1}, sums_.data());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto to = out.row(rows[r]);
      for (std::size_t o = 0; o < outputs; ++o) to[o] += sums_[r * outputs + o];
    }
  }

 private:
  ThreadPool pool_;
  MatrixProduct<double> product_;
  std::vector<double> kernels_, weights_, sums_;
};

Matrix<double> PackedGram::sums(std::span<const std::uint32_t> examples,
                                const Matrix<double>& coefficients,
                                std::span<const std::uint32_t> targets,
                                const Context& context) const {
  Matrix<double> out(targets.size(), coefficients.rows());
  std::fill_n(out.data(), out.rows() * out.columns(), 0.0);
  const std::size_t blocks = blocks_along(size_);
  const auto rows = by_block(targets, blocks, side);
  const auto columns = by_block(examples, blocks, side);
  std::vector<std::unique_ptr<Product>> products(thread_count(context));
  parallel(
      blocks, context,
      [&](std::size_t worker, std::size_t i) {
        if (!products[worker]) products[worker] = std::make_unique<Product>();
        if (rows[i].empty()) return;
        for (std::size_t j = 0; j < blocks; ++j) {
          if (columns[j].empty()) continue;
          products[worker]->add(*this, i, j, targets, rows[i], examples, columns[j], coefficients,
                                out);
        }
      },
      [&](std::size_t i) { return static_cast<double>(rows[i].size()); });
  return out;
}

}  // namespace espalier
