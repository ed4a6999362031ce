#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <type_traits>

#include "base/simd.hpp"
#include "base/stream.hpp"
#include "base/transpose.hpp"
#include "gram/block_output.hpp"
#include "gram/not_finite.hpp"
#include "gram/plan.hpp"

namespace espalier {

/// Computes the settings of one sweep, block by block.
template <class T>
class BlockRun {
 public:
  using MakeOutput = std::function<std::unique_ptr<BlockOutput<T>>()>;

  /// `count` is the number of settings. Each thread gets an output of its own.
  BlockRun(const Plan& plan, const GramShape& shape, std::size_t count, MakeOutput make_output,
           const Context& context)
      : plan_(plan),
        shape_(shape),
        count_(count),
        make_output_(std::move(make_output)),
        context_(context),
        workers_(thread_count(context)) {}

  /// Calls done(block) after each block that skip(block) does not leave out. Both must be
  /// thread-safe.
  template <class Skip, class Done>
  void run(const std::vector<Block>& blocks, Skip&& skip, Done&& done) {
    parallel(
        blocks.size(), context_,
        [&](std::size_t worker, std::size_t task) {
          if (skip(blocks[task])) return;
          if (!workers_[worker]) workers_[worker] = std::make_unique<Worker>(plan_, make_output_());
          compute(*workers_[worker], blocks[task]);
          done(blocks[task]);
        },
        [&](std::size_t task) { return blocks[task].cells(); });
  }

 private:
  struct Worker {
    Worker(const Plan& p, std::unique_ptr<BlockOutput<T>> o) : plan(p), output(std::move(o)) {}
    PlanWorker plan;
    std::unique_ptr<BlockOutput<T>> output;
    std::vector<double> values;
    std::size_t half = 0;  ///< of the values: which one the current tile is in
    std::vector<BlockView<double>> outs;
  };

  /// Halves the block until it fits the memory budget of a thread.
  void compute(Worker& worker, const Block& block) {
    const std::size_t cells = block.rows.size() * block.columns.size();
    const std::size_t memory = context_.memory / workers_.size();
    const std::size_t bytes =
        worker.plan.bytes(block.rows, block.columns, memory / 2) +
        worker.output->bytes(block.columns.size()) +
        2 * std::min(tile_rows, block.rows.size()) * row_bytes(block.columns.size());
    if (cells > 1 && bytes > memory) {
      Block first = block;
      Block second = block;
      // Narrow blocks share less work between columns: below this width rows are halved first.
      if (block.columns.size() > 16 || block.rows.size() == 1) {
        first.columns.end = second.columns.begin = block.columns.begin + block.columns.size() / 2;
      } else {
        first.rows.end = second.rows.begin = block.rows.begin + block.rows.size() / 2;
      }
      compute(worker, first);
      compute(worker, second);
      return;
    }
    worker.plan.start(block.rows, block.columns);
    const std::size_t together = worker.output->rows_together(block.columns.size());
    for (std::size_t i = block.rows.begin; i < block.rows.end; i += together) {
      compute_rows(worker, {{i, std::min(block.rows.end, i + together)}, block.columns});
    }
  }

  /// The rows of a block that its output takes together, as a block.
  void compute_rows(Worker& worker, const Block& block) {
    for (std::size_t i = block.rows.begin; i < block.rows.end; i += tile_rows) {
      compute_tile(worker, block, {i, std::min(block.rows.end, i + tile_rows)});
    }
    streams_done();
    worker.output->finish(block);
  }

  /// Rows of the previous tile that are kept: a cache line of the output along a column.
  static constexpr std::size_t rows_before = 64 / sizeof(T);

  /// Padding avoids cache conflicts between the elements of a column.
  static std::size_t stride(std::size_t columns) { return columns + 8; }
  std::size_t row_bytes(std::size_t columns) const {
    return stride(columns) * count_ * sizeof(double);
  }

  /// Alternates between two tiles: the end of the previous one is still needed.
  void compute_tile(Worker& worker, const Block& block, Slice rows) {
    const std::size_t width = stride(block.columns.size());
    worker.values.resize(2 * count_ * tile_rows * width);
    worker.half = 1 - worker.half;
    const auto tile = [&](std::size_t half, std::size_t s) {
      return BlockView<double>{worker.values.data() + (half * count_ + s) * tile_rows * width,
                               width};
    };
    worker.outs.clear();
    for (std::size_t s = 0; s < count_; ++s) worker.outs.push_back(tile(worker.half, s));
    worker.plan.rows(rows, worker.outs);
    for (std::size_t s = 0; s < count_; ++s) {
      store(block, rows, tile(1 - worker.half, s), worker.outs[s], worker.output->target(s, block));
    }
  }

  /// Writes a tile; of a symmetric matrix, its transpose too.
  void store(const Block& block, Slice rows, BlockView<double> before, BlockView<double> values,
             const BlockTarget<T>& out) const {
    const Slice whole = whole_columns(block, rows.begin);
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const double* const row = values.row(i - rows.begin);
      const Slice computed = shape_.computed(block.columns, i);
      if (!all_finite(row, computed.size())) find_not_finite(i, computed, row);
      T* const to = out.values.row(i - block.rows.begin);
      write(row, whole.size(), to);
      for (std::size_t j = whole.size(); j < computed.size(); ++j) {
        to[j] = static_cast<T>(row[j]);
        if (shape_.symmetric) out.mirrored.row(j)[i - block.rows.begin] = to[j];
      }
    }
    if (shape_.symmetric) mirror(block, rows, before, values, out.mirrored);
  }

  /// The columns that are computed for all rows of a tile.
  Slice whole_columns(const Block& block, std::size_t first_row) const {
    Slice whole = block.columns;
    if (shape_.symmetric) whole.end = std::clamp(first_row, whole.begin, whole.end);
    return whole;
  }

  static void write(const double* row, std::size_t size, T* out) {
    if constexpr (std::is_same_v<T, double>) {
      stream_copy(row, size, out);
    } else {
      T line[block_columns];
      std::transform(row, row + size, line, [](double x) { return static_cast<T>(x); });
      stream_copy(line, size, out);
    }
  }

  /// Transposes some columns at a time, so that reads of a row share a cache line. An incomplete
  /// cache line of the output waits for the next tile: a partial write costs more than a whole one.
  void mirror(const Block& block, Slice rows, BlockView<double> before, BlockView<double> values,
              BlockView<T> out) const {
    constexpr std::size_t at_once = 8;
    T lines[at_once][rows_before + tile_rows];
    const bool is_first = rows.begin == block.rows.begin;
    const bool is_last = rows.end == block.rows.end;
    const Slice columns = whole_columns(block, rows.begin);
    const std::size_t end_before = is_first ? 0 : whole_columns(block, rows.begin - tile_rows).end;
    T* waiting[at_once];
    T* now[at_once];
    for (std::size_t k = 0; k < at_once; ++k) now[k] = (waiting[k] = lines[k]) + rows_before;
    for (std::size_t j = columns.begin; j < columns.end; j += at_once) {
      const std::size_t count = std::min(at_once, columns.end - j);
      const std::size_t at = j - columns.begin;
      if (j < end_before) {
        transpose(before.row(tile_rows - rows_before) + at, before.stride, rows_before, waiting,
                  count);
      }
      transpose(values.data + at, values.stride, rows.size(), now, count);
      for (std::size_t k = 0; k < count; ++k) {
        T* const to = out.row(at + k) + (rows.begin - block.rows.begin);
        const std::size_t waited = j + k < end_before ? past_line(to) : 0;
        const std::size_t waits = is_last ? 0 : past_line(to + rows.size());
        stream_copy(now[k] - waited, waited + rows.size() - waits, to - waited);
      }
    }
  }
  /// Number of elements between the start of the cache line and this one.
  static std::size_t past_line(const T* number) {
    return reinterpret_cast<std::uintptr_t>(number) % 64 / sizeof(T);
  }

  static void find_not_finite(std::size_t i, Slice columns, const double* row) {
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      if (std::isfinite(static_cast<T>(row[j - columns.begin]))) continue;
      throw KernelNotFinite(i, j, sizeof(T) == sizeof(float));
    }
  }

  /// Whether all values are finite after conversion to T.
  ESPALIER_SIMD static bool all_finite(const double* values, std::size_t size) {
    constexpr std::size_t lanes = 16;
    T check[lanes] = {};  // sums of x - x: 0, or nan
    std::size_t j = 0;
    for (; j + lanes <= size; j += lanes) {
      for (std::size_t k = 0; k < lanes; ++k) {
        const T value = static_cast<T>(values[j + k]);
        check[k] += value - value;
      }
    }
    for (; j < size; ++j) check[0] += static_cast<T>(values[j]) - static_cast<T>(values[j]);
    T sum = 0;
    for (const T part : check) sum += part;
    return sum == 0;
  }

  const Plan& plan_;
  GramShape shape_;
  std::size_t count_;
  MakeOutput make_output_;
  const Context& context_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace espalier
