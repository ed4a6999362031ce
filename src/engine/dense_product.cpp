#include "engine/dense_product.hpp"

#include <algorithm>
#include <cstring>

#include "base/simd.hpp"

namespace espalier {

namespace {

// The sums of a tile stay in registers; a panel of the rows fits the second-level cache.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_columns = 2;
constexpr std::size_t panel = 512;

using Doubles = double __attribute__((vector_size(32)));
constexpr std::size_t dense_lanes = 4;

ESPALIER_INLINE void load(const double* from, Doubles& to) { std::memcpy(&to, from, sizeof to); }
ESPALIER_INLINE void load(const float* from, Doubles& to) {
  float __attribute__((vector_size(16))) floats;
  std::memcpy(&floats, from, sizeof floats);
  to = __builtin_convertvector(floats, Doubles);
}

/// The products of each of the rows with each of the columns.
template <class Row, class Column>
ESPALIER_INLINE void multiply(const Row* const* rows, const Column* const* columns,
                              std::size_t size, double* products) {
  Doubles sums[tile_rows][tile_columns] = {};
  const std::size_t whole = size - size % dense_lanes;
  for (std::size_t k = 0; k < whole; k += dense_lanes) {
    Doubles loaded[tile_columns];
    for (std::size_t j = 0; j < tile_columns; ++j) load(columns[j] + k, loaded[j]);
    for (std::size_t i = 0; i < tile_rows; ++i) {
      Doubles row;
      load(rows[i] + k, row);
      for (std::size_t j = 0; j < tile_columns; ++j) sums[i][j] += row * loaded[j];
    }
  }
  for (std::size_t i = 0; i < tile_rows; ++i) {
    for (std::size_t j = 0; j < tile_columns; ++j) {
      const Doubles& sum = sums[i][j];
      double total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
      for (std::size_t k = whole; k < size; ++k) {
        total += static_cast<double>(rows[i][k]) * static_cast<double>(columns[j][k]);
      }
      *products++ = total;
    }
  }
}

ESPALIER_SIMD void multiply_tile(const float* const* rows, const float* const* columns,
                                 std::size_t size, double* products) {
  multiply(rows, columns, size, products);
}
ESPALIER_SIMD void multiply_tile(const float* const* rows, const double* const* columns,
                                 std::size_t size, double* products) {
  multiply(rows, columns, size, products);
}
ESPALIER_SIMD void multiply_tile(const double* const* rows, const double* const* columns,
                                 std::size_t size, double* products) {
  multiply(rows, columns, size, products);
}

/// Adds the panel starting at k to the tile at (i, j). At the edges the last row or column is
/// computed redundantly and added once.
template <class Row, class Column>
void add_tile(const DenseRows<Row>& rows, const DenseRows<Column>& columns, std::size_t i,
              std::size_t j, std::size_t k, BlockView<double> out) {
  const Row* row_at[tile_rows];
  const Column* column_at[tile_columns];
  double products[tile_rows][tile_columns];
  for (std::size_t r = 0; r < tile_rows; ++r) {
    row_at[r] = rows.row(std::min(i + r, rows.count - 1)) + k;
  }
  for (std::size_t c = 0; c < tile_columns; ++c) {
    column_at[c] = columns.row(std::min(j + c, columns.count - 1)) + k;
  }
  multiply_tile(row_at, column_at, std::min(panel, rows.dimension - k), products[0]);
  for (std::size_t r = 0; r < std::min(tile_rows, rows.count - i); ++r) {
    for (std::size_t c = 0; c < std::min(tile_columns, columns.count - j); ++c) {
      out.row(i + r)[j + c] += products[r][c];
    }
  }
}

template <class Row, class Column>
void product(const DenseRows<Row>& rows, const DenseRows<Column>& columns, BlockView<double> out) {
  for (std::size_t i = 0; i < rows.count; ++i) std::fill_n(out.row(i), columns.count, 0.0);
  for (std::size_t k = 0; k < rows.dimension; k += panel) {
    for (std::size_t j = 0; j < columns.count; j += tile_columns) {
      for (std::size_t i = 0; i < rows.count; i += tile_rows) {
        add_tile(rows, columns, i, j, k, out);
      }
    }
  }
}

}  // namespace

void dense_product(const DenseRows<float>& rows, const DenseRows<float>& columns,
                   BlockView<double> out) {
  product(rows, columns, out);
}

void dense_product(const DenseRows<float>& rows, const DenseRows<double>& columns,
                   BlockView<double> out) {
  product(rows, columns, out);
}

void dense_product(const DenseRows<double>& rows, const DenseRows<double>& columns,
                   BlockView<double> out) {
  product(rows, columns, out);
}

}  // namespace espalier
