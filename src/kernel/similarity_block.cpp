#include "kernel/similarity_block.hpp"

#include <algorithm>

#include "base/simd.hpp"

namespace espalier {

namespace {

constexpr std::size_t tile_width = 32;

/// The products of one vector with those of a tile, which stand side by side. Every product is
/// summed up in the same order.
ESPALIER_SIMD void multiply(const float* vector, const double* tile, std::size_t dimension,
                            double* out) {
  double sums[tile_width] = {};
  for (std::size_t k = 0; k < dimension; ++k) {
    const double x = static_cast<double>(vector[k]);
    for (std::size_t j = 0; j < tile_width; ++j) sums[j] += x * tile[k * tile_width + j];
  }
  std::copy_n(sums, tile_width, out);
}

constexpr float one = 1;

}  // namespace

SimilarityBlock::SimilarityBlock(const LabelSimilarity& labels, const Bags& rows,
                                 const Bags& columns)
    : labels_(labels),
      row_bags_(rows),
      column_bags_(columns),
      rows_(labels.label_count()),
      slots_(labels.label_count(), none),
      marks_(labels.label_count(), 0) {}

void SimilarityBlock::collect(const Bags& bags, Slice slice, std::vector<LabelId>& out) {
  out.clear();
  const auto take = [&](LabelId label) {
    if (marks_[label] != 0 || labels_.class_of(label) == none) return;
    marks_[label] = 1;
    out.push_back(label);
  };
  for (std::size_t i = slice.begin; i < slice.end; ++i) {
    if (bags[i].weights != nullptr) {
      // Vertices that weigh nothing are left out of these bags, but those above need their labels.
      for (LabelId label = 0; label < marks_.size(); ++label) take(label);
      break;
    }
    for (const Occurrence& o : bags[i].occurrences) take(bags.forest().label(o.vertex));
  }
  for (const LabelId label : out) marks_[label] = 0;
  std::ranges::sort(out, {},
                    [&](LabelId label) { return std::pair(labels_.class_of(label), label); });
}

void SimilarityBlock::collect(Slice rows, Slice columns) {
  if (rows == collected_rows_ && columns == collected_columns_) return;
  built_ = false;
  for (const LabelId label : row_labels_) rows_[label] = {};
  for (const LabelId label : column_labels_) slots_[label] = none;
  collected_rows_ = rows;
  collected_columns_ = columns;
  collect(row_bags_, rows, row_labels_);
  collect(column_bags_, columns, column_labels_);
  for (std::uint32_t s = 0; s < column_labels_.size(); ++s) slots_[column_labels_[s]] = s;
  parts_.clear();
  for (std::size_t r = 0, c = 0; r < row_labels_.size() && c < column_labels_.size();) {
    const std::uint32_t row_class = labels_.class_of(row_labels_[r]);
    const std::uint32_t column_class = labels_.class_of(column_labels_[c]);
    const auto end_of = [&](const std::vector<LabelId>& all, std::size_t at) {
      const std::uint32_t number = labels_.class_of(all[at]);
      while (at < all.size() && labels_.class_of(all[at]) == number) ++at;
      return at;
    };
    const std::size_t row_end = row_class <= column_class ? end_of(row_labels_, r) : r;
    const std::size_t column_end = column_class <= row_class ? end_of(column_labels_, c) : c;
    if (row_class == column_class) {
      if (labels_.has_vectors(row_labels_[r])) {
        parts_.push_back({{r, row_end}, {c, column_end}});
      } else {
        rows_[row_labels_[r]] = {&one, static_cast<std::uint32_t>(c), 1};
      }
    }
    r = row_end;
    c = column_end;
  }
}

void SimilarityBlock::build(Slice rows, Slice columns) {
  collect(rows, columns);
  if (built_) return;
  std::size_t total = 0;
  for (const Part& part : parts_) total += part.rows.size() * part.columns.size();
  values_.resize(total);
  float* out = values_.data();
  for (const Part& part : parts_) {
    fill(part, out);
    out += part.rows.size() * part.columns.size();
  }
  built_ = true;
}

void SimilarityBlock::fill(const Part& part, float* out) {
  const std::size_t width = part.columns.size();
  for (std::size_t r = part.rows.begin; r < part.rows.end; ++r) {
    rows_[row_labels_[r]] = {out + (r - part.rows.begin) * width,
                             static_cast<std::uint32_t>(part.columns.begin),
                             static_cast<std::uint32_t>(width)};
  }
  tile_.resize(labels_.dimension() * tile_width);
  double products[tile_width];
  for (std::size_t c = part.columns.begin; c < part.columns.end; c += tile_width) {
    const std::size_t size = std::min(tile_width, part.columns.end - c);
    std::ranges::fill(tile_, 0);
    for (std::size_t j = 0; j < size; ++j) {
      const auto vector = labels_.vector(column_labels_[c + j]);
      for (std::size_t k = 0; k < vector.size(); ++k) {
        tile_[k * tile_width + j] = static_cast<double>(vector[k]);
      }
    }
    for (std::size_t r = part.rows.begin; r < part.rows.end; ++r) {
      multiply(labels_.vector(row_labels_[r]).data(), tile_.data(), labels_.dimension(), products);
      float* const row = out + (r - part.rows.begin) * width + (c - part.columns.begin);
      labels_.similarities({products, size}, row);
      const std::uint32_t own = slots_[row_labels_[r]];
      if (own >= c && own < c + size) row[own - c] = 1;
    }
  }
}

std::size_t SimilarityBlock::bytes(Slice rows, Slice columns) {
  collect(rows, columns);
  std::size_t total = 0;
  for (const Part& part : parts_) total += part.rows.size() * part.columns.size();
  return total * sizeof(float);
}

}  // namespace espalier
