#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/bags.hpp"
#include "similarity/similarity_table.hpp"

namespace espalier {

/// The similarities of all labels in the rows of a block with all labels in its columns. A value
/// does not depend on the block.
class SimilarityBlock {
 public:
  /// The similarities of one label with those of its class in the columns: the label in slot
  /// first + k has values[k].
  struct Row {
    const float* values = nullptr;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  /// `table` may be null: then labels are compared for each block.
  SimilarityBlock(const LabelSimilarity& labels, SimilarityTable* table, const Bags& rows,
                  const Bags& columns);

  /// Does nothing if the block is the same as before.
  void build(Slice rows, Slice columns);
  /// Memory of build() in bytes.
  std::size_t bytes(Slice rows, Slice columns);

  /// The similarities of a label in the rows.
  const Row& row(LabelId label) const { return rows_[label]; }
  /// The slot of a label in the columns.
  std::uint32_t slot(LabelId label) const { return slots_[label]; }
  std::size_t slot_count() const { return column_labels_.size(); }

 private:
  void collect(Slice rows, Slice columns);
  void collect(const Bags& bags, Slice slice, std::vector<LabelId>& out);
  std::span<const LabelId> labels_of(const std::vector<LabelId>& all, Slice slice) const {
    return std::span(all).subspan(slice.begin, slice.size());
  }
  std::size_t value_count() const;
  void look_up(Slice rows, Slice columns, float* out);
  void compare(Slice rows, Slice columns, float* out);

  const LabelSimilarity& labels_;
  SimilarityTable* table_;
  LabelComparer comparer_;
  const Bags& row_bags_;
  const Bags& column_bags_;
  Slice collected_rows_, collected_columns_;  ///< block of the label lists
  bool built_ = false;                        ///< whether the values belong to it too
  std::vector<LabelId> row_labels_;           ///< by class
  std::vector<LabelId> column_labels_;        ///< by class: one for each slot
  /// Of each class that has vectors on both sides: its labels there.
  std::vector<std::pair<Slice, Slice>> parts_;
  std::vector<Row> rows_;             ///< per label
  std::vector<std::uint32_t> slots_;  ///< per label
  std::vector<float> values_;
  std::vector<std::uint8_t> marks_;   ///< scratch, per label: 0 between uses
  std::vector<std::uint32_t> ranks_;  ///< scratch
};

}  // namespace espalier
