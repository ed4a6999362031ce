#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/simd.hpp"
#include "engine/base_sums.hpp"
#include "engine/smoothed/similarity_block.hpp"

namespace espalier {

/// Computes rows of out(i, j) = sum over labels k, l of x_ik similarity(k, l) y_jl: for labels with
/// vectors, first the product of a row and the similarities, then its products with the columns.
/// The order of summation does not depend on the block.
template <class V>
class SmoothedSums {
 public:
  using Value = V;

  /// How often each label occurs in an example: `plain` labels match only themselves, `words` have
  /// vectors.
  SmoothedSums(const KeyCounts& plain_rows, const KeyCounts& plain_columns,
               const SparseMatrix& word_rows, const SparseMatrix& word_columns,
               std::shared_ptr<SimilarityBlock> similarities)
      : plain_(plain_rows, plain_columns, Value(1), Value(1), nullptr),
        word_rows_(word_rows),
        word_columns_(word_columns),
        similarities_(std::move(similarities)) {}

  void start(Slice rows, Slice columns) {
    plain_.start(rows, columns);
    similarities_->build(rows, columns);
    order_.clear();
    for (std::uint32_t j = 0; j < columns.size(); ++j) {
      const std::uint64_t* const begin = word_columns_.begins().data() + columns.begin + j;
      order_.emplace_back(static_cast<std::uint32_t>(begin[1] - begin[0]), j);
    }
    std::ranges::sort(order_);
    entries_.clear();
    for (const auto& [size, j] : order_) {
      const std::uint64_t begin = word_columns_.begins()[columns.begin + j];
      for (std::uint64_t at = begin; at < begin + size; ++at) {
        entries_.push_back(
            {similarities_->slot(word_columns_.all_columns()[at]), word_columns_.all_values()[at]});
      }
    }
  }

  /// Overwrites `out` with these rows of the block.
  void set_rows(Slice rows, BlockView<Value> out) {
    plain_.set_rows(rows, out);
    for (std::size_t i = 0; i < rows.size(); ++i) add_words(rows.begin + i, out.row(i));
  }

  std::size_t bytes(Slice rows, Slice columns, std::size_t /*enough*/) {
    return plain_.bytes(rows, columns) + similarities_->bytes(rows, columns);
  }

 private:
  void add_words(std::size_t i, Value* out) {
    smoothed_.assign(similarities_->slot_count(), 0);
    for (std::uint64_t at = word_rows_.begins()[i]; at < word_rows_.begins()[i + 1]; ++at) {
      const SimilarityBlock::Row& row = similarities_->row(word_rows_.all_columns()[at]);
      add_times(word_rows_.all_values()[at], row.values, row.count, smoothed_.data() + row.first);
    }
    const SparseEntry<double>* entry = entries_.data();
    for (const auto& [size, j] : order_) {
      double sum = 0;
      for (std::uint32_t k = 0; k < size; ++k, ++entry) {
        sum += smoothed_[entry->index] * entry->value;
      }
      out[j] += Value(sum);
    }
  }
  ESPALIER_SIMD static void add_times(double factor, const float* values, std::size_t size,
                                      double* out) {
    for (std::size_t k = 0; k < size; ++k) out[k] += factor * static_cast<double>(values[k]);
  }

  BaseSums<Value> plain_;
  const SparseMatrix& word_rows_;
  const SparseMatrix& word_columns_;
  std::shared_ptr<SimilarityBlock> similarities_;
  std::vector<SparseEntry<double>> entries_;  ///< words of the columns, by slot, concatenated
  /// The columns of the block, each after the number of its words: sorted, so that loop lengths are
  /// predictable.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;
  std::vector<double> smoothed_;  ///< of a row, per slot
};

}  // namespace espalier
