#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "kernel/base_sums.hpp"
#include "kernel/similarity_block.hpp"

namespace espalier {

/// Computes rows of out(i, j) = sum over labels k, l of x_ik similarity(k, l) y_jl: of a row, how
/// much of each label of the columns it has by similarity, then products of that. Summed up in the
/// same order whatever the block.
class SimilarityProduct {
 public:
  SimilarityProduct(const Features& rows, const Features& columns)
      : rows_(rows), columns_of_(columns) {}

  /// `similarities` are built for the block.
  void start(Slice columns, const SimilarityBlock& similarities);
  void set_row(std::size_t i, const SimilarityBlock& similarities, double* out);

 private:
  struct Entry {
    std::uint32_t slot;
    double value;
  };

  const Features& rows_;
  const Features& columns_of_;
  /// A column of the block and where its entries end.
  struct Column {
    std::uint32_t number;
    std::uint32_t size;
  };
  std::vector<Entry> entries_;    ///< of the columns, one after the other
  std::vector<Column> columns_;   ///< those of one size together: loops of one length are predicted
  std::vector<double> smoothed_;  ///< of a row, per slot
};

/// How often each label occurs in an example.
struct LabelCounts {
  KeyCounts plain;  ///< labels that only match themselves
  KeyCounts words;  ///< those that have vectors
};

/// Computes the sum of base values over all pairs of nodes, each times the similarity of the
/// labels.
template <class V>
class SmoothedSums {
 public:
  using Value = V;

  SmoothedSums(const LabelCounts& rows, const LabelCounts& columns, const BaseValues<Value>& base,
               std::shared_ptr<SimilarityBlock> similarities)
      : plain_(rows.plain, columns.plain, base, nullptr),
        all_(rows.words.all, columns.words.all),
        inner_(rows.words.inner, columns.words.inner),
        base_(base),
        similarities_(std::move(similarities)),
        with_leaves_(!base.equal && (rows.words.all != rows.words.inner ||
                                     columns.words.all != columns.words.inner)) {}

  void start(Slice rows, Slice columns) {
    plain_.start(rows, columns);
    similarities_->build(rows, columns);
    all_.start(columns, *similarities_);
    all_sums_.resize(columns.size());
    if (!with_leaves_) return;
    inner_.start(columns, *similarities_);
    inner_sums_.resize(columns.size());
  }

  /// Overwrites these rows of the block.
  void set_rows(Slice rows, BlockView<Value> out) {
    plain_.set_rows(rows, out);
    const Value leaf_surplus = base_.leaf - base_.inner;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Value* const row = out.row(i);
      all_.set_row(rows.begin + i, *similarities_, all_sums_.data());
      for (std::size_t j = 0; j < all_sums_.size(); ++j) {
        row[j] += base_.inner * Value(all_sums_[j]);
      }
      if (!with_leaves_) continue;
      inner_.set_row(rows.begin + i, *similarities_, inner_sums_.data());
      for (std::size_t j = 0; j < all_sums_.size(); ++j) {
        row[j] += leaf_surplus * Value(all_sums_[j] - inner_sums_[j]);
      }
    }
  }

  std::size_t bytes(Slice rows, Slice columns) {
    return plain_.bytes(rows, columns) + similarities_->bytes(rows, columns);
  }

 private:
  BaseSums<Value> plain_;
  SimilarityProduct all_;
  SimilarityProduct inner_;
  BaseValues<Value> base_;
  std::shared_ptr<SimilarityBlock> similarities_;
  bool with_leaves_;              ///< whether it matters that some of the words are leaves
  std::vector<double> all_sums_;  ///< of a row
  std::vector<double> inner_sums_;
};

}  // namespace espalier
