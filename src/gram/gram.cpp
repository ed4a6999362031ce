#include "espalier/gram/gram.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "base/simd.hpp"
#include "base/stream.hpp"
#include "base/transpose.hpp"
#include "gram/kept_blocks.hpp"
#include "gram/plan.hpp"
#include "gram/self_kernels.hpp"

namespace espalier {

namespace {

// Measured on questions and programs: wide enough to share work between columns, narrow enough that
// a row of one group fits the first-level cache.
constexpr std::size_t block_columns = 512;
constexpr std::size_t block_rows = 4096;
// A resumable matrix has these blocks for any number of threads, so that a run with another number
// can resume it.
constexpr std::size_t stripes_kept = 32;

/// The blocks of a matrix; of a symmetric one, those that intersect its lower triangle. The columns
/// are divided into `stripes` parts, unless these get too narrow or too wide.
std::vector<Block> cut(std::size_t rows, std::size_t columns, bool symmetric, std::size_t stripes) {
  const std::size_t width =
      std::clamp<std::size_t>(columns / stripes, 8, std::max<std::size_t>(block_columns, 8));
  std::vector<Block> blocks;
  for (std::size_t j = 0; j < columns; j += width) {
    const Slice slice{j, std::min(columns, j + width)};
    for (std::size_t i = symmetric ? j : 0; i < rows; i += block_rows) {
      blocks.push_back({{i, std::min(rows, i + block_rows)}, slice});
    }
  }
  return blocks;
}

[[noreturn]] void fail_not_finite(std::size_t i, std::size_t j, bool single) {
  throw Error("the kernel of examples " + std::to_string(i + 1) + " and " + std::to_string(j + 1) +
              " is too large for " + (single ? "single" : "double") +
              " precision: use norm(..) or a smaller decay");
}

/// Computes the settings of one sweep, block by block.
template <class T>
class Run {
 public:
  Run(const Plan& plan, const Outputs<T>& outputs, const Context& context)
      : plan_(plan), outputs_(outputs), context_(context), workers_(thread_count(context)) {}

  void all() {
    // Enough blocks to balance the load.
    run(blocks(4 * workers_.size()), [](const Block&) {});
  }

  /// Computes the blocks that `kept` does not have for the kernels starting at `first`, and stores
  /// them there.
  void rest(const KeptBlocks<T>& kept, std::size_t first) {
    auto left = blocks(stripes_kept);
    std::erase_if(left, [&](const Block& block) { return kept.has(first, block); });
    run(left, [&](const Block& block) { kept.keep(first, outputs_.matrices.size(), block); });
  }

 private:
  struct Worker {
    explicit Worker(const Plan& p) : plan(p) {}
    PlanWorker plan;
    std::vector<double> values;
    std::size_t half = 0;  ///< of the values: which one the current tile is in
    std::vector<BlockView<double>> outs;
  };

  std::vector<Block> blocks(std::size_t stripes) const {
    return cut(outputs_.rows, outputs_.columns, outputs_.symmetric, stripes);
  }

  /// Calls done(block) after each.
  template <class Done>
  void run(const std::vector<Block>& blocks, Done&& done) {
    parallel(
        blocks.size(), context_,
        [&](std::size_t worker, std::size_t task) {
          if (!workers_[worker]) workers_[worker] = std::make_unique<Worker>(plan_);
          compute(*workers_[worker], blocks[task]);
          done(blocks[task]);
        },
        [&](std::size_t task) { return blocks[task].cells(); });
  }

  /// Halves the block until it fits the memory budget of a thread.
  void compute(Worker& worker, const Block& block) {
    const std::size_t cells = block.rows.size() * block.columns.size();
    const std::size_t memory = context_.memory / workers_.size();
    const std::size_t bytes =
        worker.plan.bytes(block.rows, block.columns, memory / 2) +
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
    for (std::size_t i = block.rows.begin; i < block.rows.end; i += tile_rows) {
      compute_tile(worker, block, {i, std::min(block.rows.end, i + tile_rows)});
    }
    streams_done();
  }

  /// Rows of the previous tile that are kept: a cache line of the output along a column.
  static constexpr std::size_t rows_before = 64 / sizeof(T);

  /// Padding avoids cache conflicts between the elements of a column.
  static std::size_t stride(std::size_t columns) { return columns + 8; }
  std::size_t row_bytes(std::size_t columns) const {
    return stride(columns) * outputs_.matrices.size() * sizeof(double);
  }

  /// Alternates between two tiles: the end of the previous one is still needed.
  void compute_tile(Worker& worker, const Block& block, Slice rows) {
    const std::size_t width = stride(block.columns.size());
    const std::size_t count = outputs_.matrices.size();
    worker.values.resize(2 * count * tile_rows * width);
    worker.half = 1 - worker.half;
    const auto tile = [&](std::size_t half, std::size_t s) {
      return BlockView<double>{worker.values.data() + (half * count + s) * tile_rows * width,
                               width};
    };
    worker.outs.clear();
    for (std::size_t s = 0; s < count; ++s) worker.outs.push_back(tile(worker.half, s));
    worker.plan.rows(rows, worker.outs);
    for (std::size_t s = 0; s < count; ++s) {
      store(block, rows, tile(1 - worker.half, s), worker.outs[s], outputs_.matrices[s]);
    }
  }

  /// Writes a tile; of a symmetric matrix, its transpose too.
  void store(const Block& block, Slice rows, BlockView<double> before, BlockView<double> values,
             T* out) const {
    const Slice whole = whole_columns(block, rows.begin);
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const double* const row = values.row(i - rows.begin);
      const Slice computed = outputs_.computed(block.columns, i);
      if (!all_finite(row, computed.size())) find_not_finite(i, computed, row);
      write(row, whole.size(), out + i * outputs_.columns + whole.begin);
      for (std::size_t j = whole.end; j < computed.end; ++j) {
        const T value = static_cast<T>(row[j - computed.begin]);
        out[i * outputs_.columns + j] = value;
        if (outputs_.symmetric) out[j * outputs_.columns + i] = value;
      }
    }
    if (outputs_.symmetric) mirror(block, rows, before, values, out);
  }

  /// The columns that are computed for all rows of a tile.
  Slice whole_columns(const Block& block, std::size_t first_row) const {
    Slice whole = block.columns;
    if (outputs_.symmetric) whole.end = std::clamp(first_row, whole.begin, whole.end);
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
              T* out) const {
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
        T* const row = out + (j + k) * outputs_.columns;
        const std::size_t waited = j + k < end_before ? past_line(row + rows.begin) : 0;
        const std::size_t waits = is_last ? 0 : past_line(row + rows.end);
        stream_copy(now[k] - waited, waited + rows.size() - waits, row + rows.begin - waited);
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
      fail_not_finite(i, j, sizeof(T) == sizeof(float));
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
  Outputs<T> outputs_;
  const Context& context_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

Plan single_plan(const FittedKernel& kernel, const Dataset& rows, const Dataset& columns,
                 Inputs& inputs, const Context& context) {
  const KernelNode* root = &kernel.root();
  return make_plan({&root, 1}, kernel.state, {&rows, ""}, {&columns, ""}, inputs, context);
}

/// `column` gives the column that value i belongs to.
template <class Column>
std::vector<double> checked(std::vector<double> values, Column&& column) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) fail_not_finite(i, column(i), false);
  }
  return values;
}

/// Number of leading kernels that can share a pass.
std::size_t leading_group(std::span<const FittedKernel> kernels) {
  std::size_t count = 1;
  while (count < std::min(most_lanes, kernels.size()) &&
         same_shape(kernels[0].root(), kernels[count].root()) &&
         kernels[0].state == kernels[count].state) {
    ++count;
  }
  return count;
}

template <class T>
std::vector<Matrix<T>> matrices(std::span<const FittedKernel> kernels, const Dataset& rows,
                                const Dataset* columns, const Context& context) {
  std::vector<Matrix<T>> out;
  std::vector<T*> outputs;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    out.emplace_back(rows.size(), columns != nullptr ? columns->size() : rows.size());
    outputs.push_back(out.back().data());
  }
  gram_into<T>(kernels, rows, columns, outputs, context);
  return out;
}

}  // namespace

template <class T>
void gram_into(std::span<const FittedKernel> kernels, const Dataset& rows, const Dataset* columns,
               std::span<T* const> outputs, const Context& context, Checkpoint* part) {
  const Dataset& other = columns != nullptr ? *columns : rows;
  const Outputs<T> all{outputs, rows.size(), other.size(), columns == nullptr};
  std::optional<KeptBlocks<T>> kept;
  if (part != nullptr) kept.emplace(*part, all);
  Inputs inputs;
  for (std::size_t done = 0; done < kernels.size();) {
    const std::size_t count = leading_group(kernels.subspan(done));
    std::vector<const KernelNode*> settings;
    for (std::size_t s = 0; s < count; ++s) settings.push_back(&kernels[done + s].root());
    Context shared = context;
    if (context.progress) {
      shared.progress = [&, done, count](double share) {
        context.progress((static_cast<double>(done) + share * static_cast<double>(count)) /
                         static_cast<double>(kernels.size()));
      };
    }
    const Plan plan =
        make_plan(settings, kernels[done].state, {&rows, ""}, {&other, ""}, inputs, shared);
    Outputs<T> some = all;
    some.matrices = outputs.subspan(done, count);
    Run<T> run(plan, some, shared);
    kept ? run.rest(*kept, done) : run.all();
    done += count;
  }
}

template <class T>
Matrix<T> gram(const FittedKernel& kernel, const Dataset& data, const Context& context) {
  return std::move(matrices<T>({&kernel, 1}, data, nullptr, context)[0]);
}

template <class T>
Matrix<T> gram(const FittedKernel& kernel, const Dataset& rows, const Dataset& columns,
               const Context& context) {
  return std::move(matrices<T>({&kernel, 1}, rows, &columns, context)[0]);
}

template <class T>
std::vector<Matrix<T>> gram(std::span<const FittedKernel> kernels, const Dataset& data,
                            const Context& context) {
  return matrices<T>(kernels, data, nullptr, context);
}

template <class T>
std::vector<Matrix<T>> gram(std::span<const FittedKernel> kernels, const Dataset& rows,
                            const Dataset& columns, const Context& context) {
  return matrices<T>(kernels, rows, &columns, context);
}

#define ESPALIER_INSTANTIATE(T)                                                                    \
  template void gram_into<T>(std::span<const FittedKernel>, const Dataset&, const Dataset*,        \
                             std::span<T* const>, const Context&, Checkpoint*);                    \
  template Matrix<T> gram<T>(const FittedKernel&, const Dataset&, const Context&);                 \
  template Matrix<T> gram<T>(const FittedKernel&, const Dataset&, const Dataset&, const Context&); \
  template std::vector<Matrix<T>> gram<T>(std::span<const FittedKernel>, const Dataset&,           \
                                          const Context&);                                         \
  template std::vector<Matrix<T>> gram<T>(std::span<const FittedKernel>, const Dataset&,           \
                                          const Dataset&, const Context&);
ESPALIER_INSTANTIATE(float)
ESPALIER_INSTANTIATE(double)
#undef ESPALIER_INSTANTIATE

std::vector<double> diagonal(const FittedKernel& kernel, const Dataset& data,
                             const Context& context) {
  return aligned(kernel, data, data, context);
}

std::vector<double> aligned(const FittedKernel& kernel, const Dataset& a, const Dataset& b,
                            const Context& context) {
  if (a.size() != b.size()) {
    throw Error("the data sets differ in size: " + std::to_string(a.size()) + " and " +
                std::to_string(b.size()) + " examples");
  }
  Inputs inputs;
  const Plan plan = single_plan(kernel, a, b, inputs, context);
  return checked(aligned_values(plan, a.size(), 1, context)[0], [](std::size_t i) { return i; });
}

std::vector<double> gram_row(const FittedKernel& kernel, const Dataset& data, std::size_t index,
                             const Context& context) {
  Inputs inputs;
  const Plan plan = single_plan(kernel, data, data, inputs, context);
  std::vector<double> out(data.size());
  PlanWorker worker(plan);
  const BlockView<double> view{out.data(), 1};
  worker.start({0, data.size()}, {index, index + 1});
  worker.rows({0, data.size()}, {&view, 1});
  return checked(std::move(out), [&](std::size_t) { return index; });
}

}  // namespace espalier
