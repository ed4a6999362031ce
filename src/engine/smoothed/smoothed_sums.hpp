#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base_sums.hpp"
#include "engine/smoothed/similarity_block.hpp"

namespace espalier {

/// Computes rows of out(i, j) = sum over labels k, l of x_ik similarity(k, l) y_jl: first the
/// product of a row and the similarities, then its products with the columns. The order of
/// summation does not depend on the block.
class SimilarityProduct {
 public:
  SimilarityProduct(const SparseMatrix& rows, const SparseMatrix& columns)
      : rows_(rows), columns_of_(columns) {}

  /// `similarities` must have been built for the block.
  void start(Slice columns, const SimilarityBlock& similarities);
  void set_row(std::size_t i, const SimilarityBlock& similarities, double* out);

 private:
  const SparseMatrix& rows_;
  const SparseMatrix& columns_of_;
  std::vector<SparseEntry<double>> entries_;  ///< of the columns, by slot, concatenated
  /// The columns of the block, each after the number of its entries: sorted, so that loop lengths
  /// are predictable.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> columns_;
  std::vector<double> smoothed_;  ///< of a row, per slot
};

/// How often each label occurs in an example.
struct LabelCounts {
  KeyCounts plain;     ///< labels that match only themselves
  SparseMatrix words;  ///< labels with vectors
};

/// Computes the sum of the similarities of all pairs of labels.
template <class V>
class SmoothedSums {
 public:
  using Value = V;

  SmoothedSums(const LabelCounts& rows, const LabelCounts& columns,
               std::shared_ptr<SimilarityBlock> similarities)
      : plain_(rows.plain, columns.plain, Value(1), Value(1), nullptr),
        words_(rows.words, columns.words),
        similarities_(std::move(similarities)) {}

  void start(Slice rows, Slice columns) {
    plain_.start(rows, columns);
    similarities_->build(rows, columns);
    words_.start(columns, *similarities_);
    sums_.resize(columns.size());
  }

  /// Overwrites `out` with these rows of the block.
  void set_rows(Slice rows, BlockView<Value> out) {
    plain_.set_rows(rows, out);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Value* const row = out.row(i);
      words_.set_row(rows.begin + i, *similarities_, sums_.data());
      for (std::size_t j = 0; j < sums_.size(); ++j) row[j] += Value(sums_[j]);
    }
  }

  std::size_t bytes(Slice rows, Slice columns, std::size_t /*enough*/) {
    return plain_.bytes(rows, columns) + similarities_->bytes(rows, columns);
  }

 private:
  BaseSums<Value> plain_;
  SimilarityProduct words_;
  std::shared_ptr<SimilarityBlock> similarities_;
  std::vector<double> sums_;  ///< of a row
};

}  // namespace espalier
