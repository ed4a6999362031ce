#include "base/matrix_product.hpp"

#include <algorithm>
#include <cstring>

#include "base/simd.hpp"

namespace espalier {

namespace {

// The sums of a tile stay in registers. A slab is as deep as the first cache holds of a panel of
// the right matrix; some rows of it, by the left one, stay in the second cache.
constexpr std::size_t tile_rows = 6;
constexpr std::size_t vector_bytes = 32;
constexpr std::size_t slab_depth = 256;
constexpr std::size_t rows_at_once = 8 * tile_rows;
constexpr std::size_t least_shared = std::size_t{1} << 21;

template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);
template <class T>
constexpr std::size_t tile_columns = 2 * lanes<T>;
template <class T>
using Tile = T[tile_rows][tile_columns<T>];

/// Where a panel of the right matrix begins, and how far its rows are apart.
template <class T>
struct Panel {
  const T* data;
  std::size_t stride;
};

template <class T>
ESPALIER_INLINE void multiply(const T* left, Panel<T> right, std::size_t depth, Tile<T>& tile) {
  using Vector __attribute__((vector_size(vector_bytes))) = T;
  Vector sums[tile_rows][2] = {};
  for (std::size_t k = 0; k < depth; ++k) {
    Vector first, second;
    std::memcpy(&first, right.data + k * right.stride, sizeof first);
    std::memcpy(&second, right.data + k * right.stride + lanes<T>, sizeof second);
#pragma GCC unroll 6
    for (std::size_t i = 0; i < tile_rows; ++i) {
      const T factor = left[k * tile_rows + i];
      sums[i][0] += factor * first;
      sums[i][1] += factor * second;
    }
  }
#pragma GCC unroll 6
  for (std::size_t i = 0; i < tile_rows; ++i) {
    std::memcpy(tile[i], &sums[i][0], sizeof sums[i][0]);
    std::memcpy(tile[i] + lanes<T>, &sums[i][1], sizeof sums[i][1]);
  }
}

ESPALIER_SIMD void multiply_tile(const float* left, Panel<float> right, std::size_t depth,
                                 Tile<float>& tile) {
  multiply(left, right, depth, tile);
}
ESPALIER_SIMD void multiply_tile(const double* left, Panel<double> right, std::size_t depth,
                                 Tile<double>& tile) {
  multiply(left, right, depth, tile);
}

constexpr std::size_t divided_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Copies `width` columns of some rows, one row after the other, with zeros up to `full` columns.
template <class T>
void pack(Strided<T> from, std::size_t rows, std::size_t width, std::size_t full, T* to) {
  if (from.column == 1) {
    for (std::size_t k = 0; k < rows; ++k, to += full) {
      std::copy_n(from.data + k * from.row, width, to);
      std::fill(to + width, to + full, T{0});
    }
    return;
  }
  if (width < full) std::fill_n(to, rows * full, T{0});
  for (std::size_t j = 0; j < width; ++j) {
    const T* column = from.data + j * from.column;
    for (std::size_t k = 0; k < rows; ++k) to[k * full + j] = column[k * from.row];
  }
}

}  // namespace

template <class T>
struct MatrixProduct<T>::Job {
  std::size_t rows, columns, depth;
  Strided<T> a, b;  ///< of this slab
  T* out;
  bool first;     ///< whether this is the first slab
  bool in_place;  ///< whether the right matrix is read where it is, but for the last few columns

  std::size_t panels() const { return divided_up(columns, tile_columns<T>); }
  bool packs(std::size_t panel) const {
    return !in_place || (panel + 1) * tile_columns<T> > columns;
  }
};

template <class T>
void MatrixProduct<T>::operator()(
    std::size_t rows, std::size_t columns, std::size_t depth, Strided<T> a, Strided<T> b, T* out,
    const std::function<void(std::size_t begin, std::size_t end)>& finish) {
  if (depth == 0) std::fill_n(out, rows * columns, T{0});
  // A few rows do not pay for rearranging the other matrix.
  const bool in_place = b.column == 1 && rows < 2 * tile_rows;
  // A short piece of work does not pay for waking the others.
  ThreadPool& pool = rows * columns * depth < least_shared ? alone_ : pool_;
  for (std::size_t k = 0; k < depth; k += slab_depth) {
    const Job job{rows,
                  columns,
                  std::min(slab_depth, depth - k),
                  {a.data + k * a.column, a.row, a.column},
                  {b.data + k * b.row, b.row, b.column},
                  out,
                  k == 0,
                  in_place};
    pack_right(job, pool);
    const bool last = k + slab_depth >= depth;
    pool.run(divided_up(rows, rows_at_once), [&](std::size_t member, std::size_t task) {
      const std::size_t begin = task * rows_at_once;
      const std::size_t end = std::min(rows, begin + rows_at_once);
      multiply_rows(job, member, begin, end);
      if (last && finish) finish(begin, end);
    });
  }
}

template <class T>
void MatrixProduct<T>::pack_right(const Job& job, ThreadPool& pool) {
  const std::size_t panel_size = slab_depth * tile_columns<T>;
  right_.resize(std::max(right_.size(), job.panels() * panel_size));
  constexpr std::size_t panels_at_once = 8;
  pool.run(divided_up(job.panels(), panels_at_once), [&](std::size_t, std::size_t task) {
    const std::size_t end = std::min(job.panels(), (task + 1) * panels_at_once);
    for (std::size_t p = task * panels_at_once; p < end; ++p) {
      if (!job.packs(p)) continue;
      const std::size_t column = p * tile_columns<T>;
      pack({job.b.data + column * job.b.column, job.b.row, job.b.column}, job.depth,
           std::min(tile_columns<T>, job.columns - column), tile_columns<T>,
           right_.data() + p * panel_size);
    }
  });
}

template <class T>
void MatrixProduct<T>::multiply_rows(const Job& job, std::size_t member, std::size_t begin,
                                     std::size_t end) {
  std::vector<T>& left = left_[member];
  left.resize(rows_at_once * slab_depth);
  for (std::size_t i = begin; i < end; i += tile_rows) {
    pack(Strided<T>{job.a.data + i * job.a.row, job.a.row, job.a.column}.transposed(), job.depth,
         std::min(tile_rows, end - i), tile_rows, left.data() + (i - begin) * slab_depth);
  }
  for (std::size_t p = 0; p < job.panels(); ++p) {
    const std::size_t column = p * tile_columns<T>;
    const std::size_t width = std::min(tile_columns<T>, job.columns - column);
    const Panel<T> right = job.packs(p)
                               ? Panel<T>{right_.data() + column * slab_depth, tile_columns<T>}
                               : Panel<T>{job.b.data + column, job.b.row};
    for (std::size_t i = begin; i < end; i += tile_rows) {
      Tile<T> tile;
      multiply_tile(left.data() + (i - begin) * slab_depth, right, job.depth, tile);
      for (std::size_t r = 0; r < std::min(tile_rows, end - i); ++r) {
        T* out = job.out + (i + r) * job.columns + column;
        if (job.first) {
          std::copy_n(tile[r], width, out);
        } else {
          for (std::size_t j = 0; j < width; ++j) out[j] += tile[r][j];
        }
      }
    }
  }
}

template class MatrixProduct<float>;
template class MatrixProduct<double>;

}  // namespace espalier
