#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/pages.hpp"
#include "similarity/label_similarity.hpp"

namespace espalier {

/// Compares labels of one class, one against many. A similarity does not depend on what else is
/// compared. Not thread-safe.
class LabelComparer {
 public:
  static constexpr std::size_t width = 32;  ///< maximum number of columns

  explicit LabelComparer(const LabelSimilarity& labels);
  /// Sets the labels to compare with: ascending, at most `width`. Refers to them.
  void start(std::span<const LabelId> columns);
  /// The similarities of rows[r] with each of them, starting at out[r * stride].
  void compare(std::span<const LabelId> rows, std::size_t stride, float* out);

 private:
  const LabelSimilarity& labels_;
  std::span<const LabelId> columns_;
  std::vector<double>
      vectors_;  ///< of the columns, interleaved: entry k of all columns is contiguous
};

/// The similarities of all labels of a data set within their classes, computed on demand: blocks of
/// a Gram matrix have many words in common. Thread-safe.
class SimilarityTable {
 public:
  /// Memory of the full table in bytes.
  static std::size_t bytes(const LabelSimilarity& labels);

  explicit SimilarityTable(const LabelSimilarity& labels);

  /// Ensures that each of `rows` has been compared with each of `columns`, all of one class.
  void require(std::span<const LabelId> rows, std::span<const LabelId> columns);
  /// The similarities of a label with the labels of its class, by rank.
  const float* row(LabelId label) const { return values_.data() + first_[label]; }
  /// The index of a label in its class, in ascending order.
  std::uint32_t rank(LabelId label) const { return rank_[label]; }

 private:
  std::vector<std::uint32_t> tiles_of(std::span<const LabelId> labels) const;
  void compare(std::span<const LabelId> same, std::size_t row_tile, std::size_t column_tile);

  const LabelSimilarity& labels_;
  // Per class: the labels that have vectors, and a flag per tile at or below the diagonal.
  std::vector<std::vector<LabelId>> classes_;
  std::vector<std::unique_ptr<std::once_flag[]>> done_;
  std::vector<std::uint64_t> first_;  ///< per label: offset of its row in values_
  std::vector<std::uint32_t> rank_;   ///< per label
  PageArray<float> values_;
};

}  // namespace espalier
