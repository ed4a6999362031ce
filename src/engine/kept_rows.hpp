#pragma once

#include <utility>
#include <vector>

#include "engine/column_groups.hpp"
#include "engine/row_memory.hpp"

namespace espalier {

/// The rows D(v, .) of vertices that parents need, until they are released. Element 0 of a row is
/// for columns without a rank; then there is one element for each rank.
template <class Value>
class KeptRows {
 public:
  /// `memory` is the budget of the thread, in bytes.
  KeptRows(std::size_t vertices, std::size_t memory)
      : row_of_(vertices, nullptr), memory_(at_least_allowed(memory)) {}

  /// Releases all rows.
  void start(const ColumnGroups& index) {
    for (const VertexId v : kept_) row_of_[v] = nullptr;
    kept_.clear();
    memory_.start(index.group_count());
  }
  /// Null if none is kept.
  const Value* of(VertexId v) const { return row_of_[v]; }
  /// The row of a vertex that has one is to be written again.
  Value* add(VertexId v, std::uint32_t group, const ColumnGroups& index) {
    if (row_of_[v] != nullptr) return row_of_[v];
    Value* const row = memory_.take(group, index.group(group).size() + 1);
    row_of_[v] = row;
    kept_.push_back(v);
    return row;
  }
  void release(VertexId v, std::uint32_t group) {
    Value* const row = std::exchange(row_of_[v], nullptr);
    if (row != nullptr) memory_.release(group, row);
  }
  static std::size_t bytes(const Positions& group) { return (group.size() + 1) * sizeof(Value); }

 private:
  std::vector<Value*> row_of_;  ///< per vertex
  std::vector<VertexId> kept_;  ///< vertices that had a row in this block
  RowMemory<Value> memory_;
};

}  // namespace espalier
