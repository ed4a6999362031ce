#include "engine/smoothed/smoothed_sums.hpp"

#include <algorithm>

#include "base/simd.hpp"

namespace espalier {

namespace {

ESPALIER_SIMD void add_times(double factor, const float* values, std::size_t size, double* out) {
  for (std::size_t k = 0; k < size; ++k) out[k] += factor * static_cast<double>(values[k]);
}

}  // namespace

void SimilarityProduct::start(Slice columns, const SimilarityBlock& similarities) {
  columns_.clear();
  for (std::uint32_t j = 0; j < columns.size(); ++j) {
    const std::uint64_t* const begin = columns_of_.begins().data() + columns.begin + j;
    columns_.emplace_back(static_cast<std::uint32_t>(begin[1] - begin[0]), j);
  }
  std::ranges::sort(columns_);
  entries_.clear();
  for (const auto& [size, j] : columns_) {
    const std::uint64_t begin = columns_of_.begins()[columns.begin + j];
    for (std::uint64_t at = begin; at < begin + size; ++at) {
      entries_.push_back(
          {similarities.slot(columns_of_.all_columns()[at]), columns_of_.all_values()[at]});
    }
  }
}

void SimilarityProduct::set_row(std::size_t i, const SimilarityBlock& similarities, double* out) {
  smoothed_.assign(similarities.slot_count(), 0);
  for (std::uint64_t at = rows_.begins()[i]; at < rows_.begins()[i + 1]; ++at) {
    const SimilarityBlock::Row& row = similarities.row(rows_.all_columns()[at]);
    add_times(rows_.all_values()[at], row.values, row.count, smoothed_.data() + row.first);
  }
  const SparseEntry<double>* entry = entries_.data();
  for (const auto& [size, j] : columns_) {
    double sum = 0;
    for (std::uint32_t k = 0; k < size; ++k, ++entry) sum += smoothed_[entry->index] * entry->value;
    out[j] = sum;
  }
}

}  // namespace espalier
