#include "similarity/similarity_table.hpp"

#include <algorithm>

#include "base/simd.hpp"

namespace espalier {

namespace {

/// Dot products of vectors with `width` interleaved ones, each summed in the same order. Two
/// vectors at a time need more registers than AVX2 has, but hide the latency of additions with
/// AVX-512.
template <std::size_t count>
ESPALIER_INLINE void multiply(const float* const (&vectors)[count], const double* others,
                              std::size_t dimension, double* out) {
  constexpr std::size_t width = LabelComparer::width;
  double sums[count][width] = {};
  for (std::size_t k = 0; k < dimension; ++k) {
    for (std::size_t v = 0; v < count; ++v) {
      const double x = static_cast<double>(vectors[v][k]);
      for (std::size_t j = 0; j < width; ++j) sums[v][j] += x * others[k * width + j];
    }
  }
  for (std::size_t v = 0; v < count; ++v) std::copy_n(sums[v], width, out + v * width);
}

ESPALIER_SIMD void multiply_one(const float* vector, const double* others, std::size_t dimension,
                                double* out) {
  multiply<1>({vector}, others, dimension, out);
}
ESPALIER_AVX512 void multiply_two(const float* first, const float* second, const double* others,
                                  std::size_t dimension, double* out) {
  multiply<2>({first, second}, others, dimension, out);
}

/// Number of labels with a vector, per class.
std::vector<std::size_t> class_sizes(const LabelSimilarity& labels) {
  std::vector<std::size_t> out(labels.class_count(), 0);
  for (LabelId label = 0; label < labels.label_count(); ++label) {
    if (labels.has_vectors(label)) ++out[labels.class_of(label)];
  }
  return out;
}

std::size_t tile_count(std::size_t labels) {
  return (labels + LabelComparer::width - 1) / LabelComparer::width;
}

std::span<const LabelId> tile(std::span<const LabelId> labels, std::size_t t) {
  const std::size_t begin = t * LabelComparer::width;
  return labels.subspan(begin, std::min(LabelComparer::width, labels.size() - begin));
}

}  // namespace

LabelComparer::LabelComparer(const LabelSimilarity& labels)
    : labels_(labels), vectors_(labels.dimension() * width) {}

void LabelComparer::start(std::span<const LabelId> columns) {
  columns_ = columns;
  std::ranges::fill(vectors_, 0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto vector = labels_.vector(columns[j]);
    for (std::size_t k = 0; k < vector.size(); ++k) {
      vectors_[k * width + j] = static_cast<double>(vector[k]);
    }
  }
}

void LabelComparer::compare(std::span<const LabelId> rows, std::size_t stride, float* out) {
  const auto vector = [&](LabelId row) { return labels_.vector(row).data(); };
  double products[2 * width];
  for (std::size_t r = 0; r < rows.size();) {
    const std::size_t count = has_avx512() && r + 1 < rows.size() ? 2 : 1;
    if (count == 2) {
      multiply_two(vector(rows[r]), vector(rows[r + 1]), vectors_.data(), labels_.dimension(),
                   products);
    } else {
      multiply_one(vector(rows[r]), vectors_.data(), labels_.dimension(), products);
    }
    for (std::size_t k = 0; k < count; ++k, ++r, out += stride) {
      labels_.similarities({products + k * width, columns_.size()}, out);
      const auto own = std::ranges::lower_bound(columns_, rows[r]);
      if (own != columns_.end() && *own == rows[r]) out[own - columns_.begin()] = 1;
    }
  }
}

std::size_t SimilarityTable::bytes(const LabelSimilarity& labels) {
  std::size_t total = 0;
  for (const std::size_t size : class_sizes(labels)) total += size * size;
  return total * sizeof(float);
}

SimilarityTable::SimilarityTable(const LabelSimilarity& labels)
    : labels_(labels),
      classes_(labels.class_count()),
      first_(labels.label_count(), 0),
      rank_(labels.label_count(), 0),
      values_(bytes(labels) / sizeof(float)) {
  for (LabelId label = 0; label < labels.label_count(); ++label) {
    if (!labels.has_vectors(label)) continue;
    std::vector<LabelId>& same = classes_[labels.class_of(label)];
    rank_[label] = static_cast<std::uint32_t>(same.size());
    same.push_back(label);
  }
  std::uint64_t total = 0;
  for (const std::vector<LabelId>& same : classes_) {
    const std::size_t tiles = tile_count(same.size());
    done_.push_back(std::make_unique<std::once_flag[]>(tiles * (tiles + 1) / 2));
    for (const LabelId label : same) {
      first_[label] = total;
      total += same.size();
    }
  }
}

/// In ascending order.
std::vector<std::uint32_t> SimilarityTable::tiles_of(std::span<const LabelId> labels) const {
  std::vector<std::uint32_t> out;
  for (const LabelId label : labels) {
    const auto tile = static_cast<std::uint32_t>(rank_[label] / LabelComparer::width);
    if (out.empty() || out.back() != tile) out.push_back(tile);
  }
  return out;
}

void SimilarityTable::require(std::span<const LabelId> rows, std::span<const LabelId> columns) {
  const std::uint32_t number = labels_.class_of(rows[0]);
  const auto row_tiles = tiles_of(rows);
  for (const std::size_t c : tiles_of(columns)) {
    for (const std::size_t r : row_tiles) {
      const std::size_t upper = std::min(r, c);
      const std::size_t lower = std::max(r, c);
      std::call_once(done_[number][lower * (lower + 1) / 2 + upper],
                     [&] { compare(classes_[number], lower, upper); });
    }
  }
}

/// Fills both triangles: similarities are bitwise symmetric.
void SimilarityTable::compare(std::span<const LabelId> same, std::size_t row_tile,
                              std::size_t column_tile) {
  const auto columns = tile(same, column_tile);
  LabelComparer comparer(labels_);
  comparer.start(columns);
  const auto rows = tile(same, row_tile);
  const std::size_t stride = same.size();
  float* const values = values_.data() + first_[rows[0]] + rank_[columns[0]];
  comparer.compare(rows, stride, values);
  float* const mirrored = values_.data() + first_[columns[0]] + rank_[rows[0]];
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t r = 0; r < rows.size(); ++r) mirrored[j * stride + r] = values[r * stride + j];
  }
}

}  // namespace espalier
