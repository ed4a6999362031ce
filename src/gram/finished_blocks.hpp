#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "espalier/base/checkpoint.hpp"
#include "espalier/base/matrix_storage.hpp"
#include "gram/block.hpp"

namespace espalier {

/// Which blocks of the matrices in a storage are finished: in an earlier run, or in this one. The
/// checkpoint has a checksum of each, so that one that was lost since is computed again. Kernels
/// that are computed together are identified by the first of them.
template <class T>
class FinishedBlocks {
 public:
  FinishedBlocks(Checkpoint& file, const MatrixStorage<T>& storage, const GramShape& shape);

  /// Whether an earlier run has finished this block of `count` kernels starting at `first`, and the
  /// storage still has it. Thread-safe.
  bool has(std::size_t first, std::size_t count, const Block& block) const;
  /// To be called when the storage has the block. Thread-safe.
  void add(std::size_t first, std::size_t count, const Block& block) const;

 private:
  std::uint64_t checksum(std::size_t first, std::size_t count, const Block& block) const;

  Checkpoint& file_;
  const MatrixStorage<T>& storage_;
  GramShape shape_;
  /// Checksums by kernel, row and column.
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t> earlier_;
};

}  // namespace espalier
