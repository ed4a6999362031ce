#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/pages.hpp"
#include "espalier/base/error.hpp"

namespace espalier {

/// Thrown when not even one pair of examples fits the memory budget of a thread.
class OutOfBudget : public Error {
 public:
  explicit OutOfBudget(std::size_t budget)
      : Error("an example " + reason(budget)), budget_(budget) {}
  std::size_t budget() const { return budget_; }
  /// The message, after the example that it is about.
  static std::string reason(std::size_t budget) {
    return "is too large for this kernel: the values of its subtrees need more than " +
           std::to_string(budget >> 20) + " MB in a thread; use more memory or fewer threads";
  }

 private:
  std::size_t budget_;
};

/// A budget in bytes that leaves room for a small pair of examples whatever the user asked for.
inline std::size_t at_least_allowed(std::size_t memory) {
  return std::max(memory, std::size_t{1} << 24);
}

/// Pool allocator for the rows of a block: all rows of a group have one size. A released row is
/// reused first, because it is still in the cache. The memory is kept from block to block.
template <class Value>
class RowMemory {
 public:
  /// Rows of more than `budget` bytes in all are refused.
  explicit RowMemory(std::size_t budget = SIZE_MAX) : budget_(budget) {}

  /// Releases all rows.
  void start(std::size_t groups) {
    for (auto& rows : free_) rows.clear();
    if (free_.size() < groups) free_.resize(groups);
    chunk_ = static_cast<std::size_t>(-1);
    chunk_size_ = chunk_used_ = 0;
    bytes_ = 0;
  }

  Value* take(std::uint32_t group, std::size_t size) {
    if (free_[group].empty()) return space_for(size);
    Value* const row = free_[group].back();
    free_[group].pop_back();
    return row;
  }
  void release(std::uint32_t group, Value* row) { free_[group].push_back(row); }

 private:
  Value* space_for(std::size_t size) {
    bytes_ += size * sizeof(Value);
    if (bytes_ > budget_) throw OutOfBudget(budget_);
    // Chunks grow geometrically.
    constexpr std::size_t first_chunk = std::size_t{1} << 14;
    if (chunk_used_ + size > chunk_size_) {
      ++chunk_;
      if (chunk_ >= chunks_.size()) chunks_.emplace_back();
      if (chunks_[chunk_].size() < size) {
        const std::size_t next = first_chunk << std::min<std::size_t>(2 * chunk_, 8);
        chunks_[chunk_] = PageArray<Value>(std::max(size, next));
      }
      chunk_size_ = chunks_[chunk_].size();
      chunk_used_ = 0;
    }
    chunk_used_ += size;
    return chunks_[chunk_].data() + chunk_used_ - size;
  }

  std::size_t budget_;
  std::size_t bytes_ = 0;                  ///< of all rows of the block
  std::vector<std::vector<Value*>> free_;  ///< per group
  std::vector<PageArray<Value>> chunks_;
  std::size_t chunk_ = static_cast<std::size_t>(-1);
  std::size_t chunk_size_ = 0;
  std::size_t chunk_used_ = 0;
};

}  // namespace espalier
