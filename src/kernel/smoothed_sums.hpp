#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "kernel/base_sums.hpp"
#include "kernel/similarity_block.hpp"

namespace espalier {

/// Computes blocks of out(i, j) = sum over labels k, l of x_ik similarity(k, l) y_jl: of a row, how
/// much of each label of the columns it has by similarity, then products of that. Summed up in the
/// same order whatever the block.
class SimilarityProduct {
 public:
  SimilarityProduct(const Features& rows, const Features& columns)
      : rows_(rows), columns_(columns) {}

  /// `similarities` are built for the block.
  void set_block(Slice rows, Slice columns, const SimilarityBlock& similarities, double* out);

 private:
  struct Entry {
    std::uint32_t slot;
    double value;
  };

  const Features& rows_;
  const Features& columns_;
  std::vector<Entry> entries_;  ///< of the columns
  std::vector<std::size_t> ends_;
  std::vector<double> smoothed_;  ///< of a row, per slot
};

/// Computes blocks of the sum of base values over all pairs of nodes, each times the similarity of
/// the labels. Counts are of labels.
template <class V>
class SmoothedSums {
 public:
  using Value = V;

  SmoothedSums(const KeyCounts& rows, const KeyCounts& columns, const BaseValues<Value>& base,
               std::shared_ptr<SimilarityBlock> similarities)
      : all_(rows.all, columns.all),
        inner_(rows.inner, columns.inner),
        base_(base),
        similarities_(std::move(similarities)) {}

  void set_block(Slice rows, Slice columns, BlockView<Value> out) {
    similarities_->build(rows, columns);
    const std::size_t size = rows.size() * columns.size();
    all_sums_.resize(size);
    all_.set_block(rows, columns, *similarities_, all_sums_.data());
    if (!base_.equal) {
      inner_sums_.resize(size);
      inner_.set_block(rows, columns, *similarities_, inner_sums_.data());
    }
    const Value leaf_surplus = base_.leaf - base_.inner;
    for (std::size_t i = 0, at = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j, ++at) {
        out.row(i)[j] = base_.inner * Value(all_sums_[at]);
        if (base_.equal) continue;
        out.row(i)[j] += leaf_surplus * Value(all_sums_[at] - inner_sums_[at]);
      }
    }
  }

  std::size_t bytes(Slice rows, Slice columns) {
    const std::size_t sums = rows.size() * columns.size() * sizeof(double);
    return (base_.equal ? 1 : 2) * sums + similarities_->bytes(rows, columns);
  }

 private:
  SimilarityProduct all_;
  SimilarityProduct inner_;
  BaseValues<Value> base_;
  std::shared_ptr<SimilarityBlock> similarities_;
  std::vector<double> all_sums_;
  std::vector<double> inner_sums_;
};

}  // namespace espalier
