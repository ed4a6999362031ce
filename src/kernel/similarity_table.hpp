#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/pages.hpp"
#include "kernel/label_similarity.hpp"

namespace espalier {

/// Compares labels of one class, one with several. A similarity does not depend on what else is
/// compared. Not for several threads at once.
class LabelComparer {
 public:
  static constexpr std::size_t width = 32;  ///< so many at a time

  explicit LabelComparer(const LabelSimilarity& labels);
  /// The labels to compare with, at most `width`, rising. They stay where they are.
  void start(std::span<const LabelId> columns);
  /// The similarities of labels with each of them: those of rows[r] from out[r * stride] on.
  void compare(std::span<const LabelId> rows, std::size_t stride, float* out);

 private:
  const LabelSimilarity& labels_;
  std::span<const LabelId> columns_;
  std::vector<double> vectors_;  ///< of the columns: entry k of all of them side by side
};

/// The similarities of all labels of a data set with those of their classes, computed when they are
/// asked for first: blocks of a Gram matrix have many words in common. For any number of threads.
class SimilarityTable {
 public:
  /// What the table takes when it is full, in bytes.
  static std::size_t bytes(const LabelSimilarity& labels);

  explicit SimilarityTable(const LabelSimilarity& labels);

  /// Sees to it that labels of a class are compared, each of `rows` with each of `columns`.
  void require(std::span<const LabelId> rows, std::span<const LabelId> columns);
  /// The similarities of a label with those of its class, by rank.
  const float* row(LabelId label) const { return values_.data() + first_[label]; }
  /// Which of its class a label is, in rising order.
  std::uint32_t rank(LabelId label) const { return rank_[label]; }

 private:
  /// Labels that have vectors, of one class.
  struct Class {
    std::vector<LabelId> labels;
    std::unique_ptr<std::once_flag[]> done;  ///< per tile at or below the diagonal

    std::size_t tiles() const;
    std::span<const LabelId> tile(std::size_t t) const;
  };

  std::vector<std::uint32_t> tiles_of(std::span<const LabelId> labels) const;
  void compare(const Class& same, std::size_t row_tile, std::size_t column_tile);

  const LabelSimilarity& labels_;
  std::vector<Class> classes_;        ///< per class
  std::vector<std::uint64_t> first_;  ///< per label: where its row is in values_
  std::vector<std::uint32_t> rank_;   ///< per label
  PageArray<float> values_;
};

}  // namespace espalier
