#pragma once

#include <span>
#include <vector>

#include "engine/leaf.hpp"
#include "espalier/base/matrix_storage.hpp"
#include "gram/block.hpp"

namespace espalier {

/// Where the values of a block are put, and for a symmetric matrix those of its transpose.
template <class T>
struct BlockTarget {
  BlockView<T> values;
  BlockView<T> mirrored;
};

/// Takes finished values, for one thread: some rows of a block at a time.
template <class T>
class BlockOutput {
 public:
  virtual ~BlockOutput() = default;
  /// How many rows of a block with that many columns are taken at a time: a multiple of tile_rows.
  virtual std::size_t rows_together(std::size_t columns) const = 0;
  /// The memory that these rows take in bytes.
  virtual std::size_t bytes(std::size_t columns) const = 0;
  virtual BlockTarget<T> target(std::size_t matrix, const Block& block) = 0;
  /// To be called when the block is complete in the targets of all matrices.
  virtual void finish(const Block& block) = 0;
};

/// Row-major matrices in memory.
template <class T>
class MemoryOutput final : public BlockOutput<T> {
 public:
  MemoryOutput(std::span<T* const> matrices, const GramShape& shape)
      : matrices_(matrices), shape_(shape) {}

  std::size_t rows_together(std::size_t) const override { return block_rows; }
  std::size_t bytes(std::size_t) const override { return 0; }
  BlockTarget<T> target(std::size_t matrix, const Block& block) override {
    const auto at = [&](std::size_t row, std::size_t column) {
      return BlockView<T>{matrices_[matrix] + row * shape_.columns + column, shape_.columns};
    };
    BlockTarget<T> out{at(block.rows.begin, block.columns.begin), {}};
    if (shape_.symmetric) out.mirrored = at(block.columns.begin, block.rows.begin);
    return out;
  }
  void finish(const Block&) override {}

 private:
  std::span<T* const> matrices_;
  GramShape shape_;
};

/// `count` matrices of a storage, starting at `first`. Rows are collected in a buffer of about
/// `memory` bytes.
template <class T>
class StorageOutput final : public BlockOutput<T> {
 public:
  StorageOutput(MatrixStorage<T>& storage, const GramShape& shape, std::size_t first,
                std::size_t count, std::size_t memory)
      : storage_(storage), shape_(shape), first_(first), count_(count), memory_(memory) {}

  std::size_t rows_together(std::size_t columns) const override {
    const std::size_t rows = memory_ / row_bytes(columns) / tile_rows * tile_rows;
    return std::clamp(rows, tile_rows, block_rows);
  }
  std::size_t bytes(std::size_t columns) const override {
    return rows_together(columns) * row_bytes(columns);
  }
  BlockTarget<T> target(std::size_t matrix, const Block& block) override {
    const std::size_t rows = block.rows.size(), columns = block.columns.size();
    const std::size_t parts = shape_.symmetric ? 2 : 1;
    buffer_.resize(std::max(buffer_.size(), count_ * parts * rows * columns));
    T* const begin = buffer_.data() + matrix * parts * rows * columns;
    BlockTarget<T> out{{begin, columns}, {}};
    if (shape_.symmetric) out.mirrored = {begin + rows * columns, rows};
    return out;
  }
  void finish(const Block& block) override {
    for (std::size_t k = 0; k < count_; ++k) write(k, block, target(k, block));
  }

 private:
  std::size_t row_bytes(std::size_t columns) const {
    return count_ * columns * sizeof(T) * (shape_.symmetric ? 2 : 1);
  }

  void write(std::size_t matrix, const Block& block, const BlockTarget<T>& from) {
    for (std::size_t i = block.rows.begin; i < block.rows.end; ++i) {
      const Slice columns = shape_.computed(block.columns, i);
      const T* const row = from.values.row(i - block.rows.begin);
      storage_.write(first_ + matrix, i, columns.begin, {row, columns.size()});
    }
    for (std::size_t j = block.columns.begin; j < block.columns.end; ++j) {
      const Slice rows = shape_.mirrored(block.rows, j);
      if (rows.size() == 0) continue;
      const T* const row = from.mirrored.row(j - block.columns.begin);
      storage_.write(first_ + matrix, j, rows.begin,
                     {row + (rows.begin - block.rows.begin), rows.size()});
    }
  }

  MatrixStorage<T>& storage_;
  GramShape shape_;
  std::size_t first_;
  std::size_t count_;
  std::size_t memory_;
  std::vector<T> buffer_;
};

}  // namespace espalier
