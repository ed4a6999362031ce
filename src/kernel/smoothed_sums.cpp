#include "kernel/smoothed_sums.hpp"

#include "base/simd.hpp"

namespace espalier {

namespace {

ESPALIER_SIMD void add_times(double factor, const float* values, std::size_t size, double* out) {
  for (std::size_t k = 0; k < size; ++k) out[k] += factor * static_cast<double>(values[k]);
}

}  // namespace

void SimilarityProduct::start(Slice columns, const SimilarityBlock& similarities) {
  entries_.clear();
  ends_.clear();
  for (std::size_t j = columns.begin; j < columns.end; ++j) {
    for (std::uint64_t at = columns_.begin[j]; at < columns_.begin[j + 1]; ++at) {
      entries_.push_back({similarities.slot(columns_.ids[at]), columns_.values[at]});
    }
    ends_.push_back(entries_.size());
  }
}

void SimilarityProduct::set_row(std::size_t i, const SimilarityBlock& similarities, double* out) {
  smoothed_.assign(similarities.slot_count(), 0);
  for (std::uint64_t at = rows_.begin[i]; at < rows_.begin[i + 1]; ++at) {
    const SimilarityBlock::Row& row = similarities.row(rows_.ids[at]);
    add_times(rows_.values[at], row.values, row.count, smoothed_.data() + row.first);
  }
  std::size_t at = 0;
  for (const std::size_t end : ends_) {
    double sum = 0;
    for (; at < end; ++at) sum += smoothed_[entries_[at].slot] * entries_[at].value;
    *out++ = sum;
  }
}

}  // namespace espalier
