#include "espalier/gram/gram.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/cancel.hpp"
#include "espalier/gram/word_vectors.hpp"
#include "gram/kept_blocks.hpp"
#include "gram/plan.hpp"
#include "gram/self_kernels.hpp"

namespace espalier {

namespace {

// Measured on questions and programs: wide enough to share work between columns, narrow enough that
// a row of one group stays in the first cache.
constexpr std::size_t block_columns = 512;
// A matrix that may be interrupted is cut like this, whatever the number of threads, so that a run
// with another number can go on with it.
constexpr std::size_t stripes_kept = 32;

/// The most that any leaf of the plan wants.
std::size_t block_rows(const Plan& plan) {
  std::size_t rows = 1;
  for (const Plan::Group& group : plan.groups) rows = std::max(rows, group.leaf->rows_at_once());
  for (const Plan& part : plan.parts) rows = std::max(rows, block_rows(part));
  return rows;
}

/// The blocks of a matrix: all of it, or of a symmetric one those that reach its lower triangle.
/// `stripes` is how many parts the columns are cut into, unless these get too narrow or too wide.
std::vector<Block> cut(std::size_t rows, std::size_t columns, std::size_t rows_at_once,
                       bool symmetric, std::size_t stripes) {
  const std::size_t width =
      std::clamp<std::size_t>(columns / stripes, 8, std::max<std::size_t>(block_columns, 8));
  std::vector<Block> blocks;
  for (std::size_t j = 0; j < columns; j += width) {
    const Slice slice{j, std::min(columns, j + width)};
    for (std::size_t i = symmetric ? j : 0; i < rows; i += rows_at_once) {
      blocks.push_back({{i, std::min(rows, i + rows_at_once)}, slice});
    }
  }
  return blocks;
}

[[noreturn]] void fail_not_finite(std::size_t i, std::size_t j, bool single) {
  throw Error("the kernel of examples " + std::to_string(i + 1) + " and " + std::to_string(j + 1) +
              " is too large for " + (single ? "single" : "double") +
              " precision: use norm(..) or a smaller decay");
}

/// One computation: the settings of one sweep over all blocks.
template <class T>
class Run {
 public:
  Run(const Plan& plan, const Outputs<T>& outputs, const Context& context)
      : plan_(plan), outputs_(outputs), context_(context), workers_(thread_count(context)) {}

  void all() {
    // Enough blocks for all threads to end at about the same time.
    run(blocks(4 * workers_.size()), [](const Block&) {});
  }

  /// Only what `kept` does not have of the kernels from `first` on, which goes there.
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
  };

  std::vector<Block> blocks(std::size_t stripes) const {
    return cut(outputs_.rows, outputs_.columns, block_rows(plan_), outputs_.symmetric, stripes);
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

  /// Halves the block until it fits the share of memory that a thread has.
  void compute(Worker& worker, const Block& block) {
    const std::size_t cells = block.rows.size() * block.columns.size();
    const std::size_t bytes = worker.plan.bytes(block.rows, block.columns) +
                              cells * outputs_.matrices.size() * sizeof(double);
    if (cells > 1 && bytes > context_.memory / workers_.size()) {
      Block first = block;
      Block second = block;
      // Narrow columns waste the sharing between them: rows are halved first once they are narrow.
      if (block.columns.size() > 16 || block.rows.size() == 1) {
        first.columns.end = second.columns.begin = block.columns.begin + block.columns.size() / 2;
      } else {
        first.rows.end = second.rows.begin = block.rows.begin + block.rows.size() / 2;
      }
      compute(worker, first);
      compute(worker, second);
      return;
    }
    worker.values.resize(cells * outputs_.matrices.size());
    std::vector<BlockView<double>> outs;
    for (std::size_t s = 0; s < outputs_.matrices.size(); ++s) {
      outs.push_back({worker.values.data() + s * cells, block.columns.size()});
    }
    worker.plan.block(block.rows, block.columns, outs);
    for (std::size_t s = 0; s < outputs_.matrices.size(); ++s)
      store(block, outs[s], outputs_.matrices[s]);
  }

  /// Tile by tile, because a symmetric matrix is written along its columns too.
  void store(const Block& block, BlockView<double> values, T* out) const {
    constexpr std::size_t tile = 32;
    for (std::size_t i = block.rows.begin; i < block.rows.end; i += tile) {
      check_cancelled();
      const std::size_t last = std::min(block.rows.end, i + tile);
      for (std::size_t j = block.columns.begin; j < block.columns.end; j += tile) {
        store_tile(block, {i, last}, {j, std::min(block.columns.end, j + tile)}, values, out);
      }
    }
  }

  void store_tile(const Block& block, Slice rows, Slice columns, BlockView<double> values,
                  T* out) const {
    const std::size_t width = outputs_.columns;
    double check = 0;
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const double* const row = values.row(i - block.rows.begin) - block.columns.begin;
      const std::size_t end = outputs_.computed(columns, i).end;
      for (std::size_t j = columns.begin; j < end; ++j) {
        out[i * width + j] = static_cast<T>(row[j]);
        check += out[i * width + j] - out[i * width + j];  // 0, or nan if it is not finite
      }
    }
    if (!(check == 0)) find_not_finite(rows, columns, out);
    if (!outputs_.symmetric) return;
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      for (std::size_t i = std::max(rows.begin, j + 1); i < rows.end; ++i) {
        out[j * width + i] = out[i * width + j];
      }
    }
  }

  void find_not_finite(Slice rows, Slice columns, const T* out) const {
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const Slice own = outputs_.computed(columns, i);
      for (std::size_t j = own.begin; j < own.end; ++j) {
        if (std::isfinite(out[i * outputs_.columns + j])) continue;
        fail_not_finite(i, j, sizeof(T) == sizeof(float));
      }
    }
  }

  const Plan& plan_;
  Outputs<T> outputs_;
  const Context& context_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

Plan single_plan(const Kernel& kernel, const Dataset& rows, const Dataset& columns, Inputs& inputs,
                 const Context& context) {
  const KernelNode* root = &kernel.root();
  return make_plan({&root, 1}, {&rows, ""}, {&columns, ""}, inputs, context);
}

/// `column` gives the column that value i belongs to.
template <class Column>
std::vector<double> checked(std::vector<double> values, Column&& column) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) fail_not_finite(i, column(i), false);
  }
  return values;
}

/// How many kernels from the first on can share a pass.
std::size_t leading_group(std::span<const Kernel> kernels) {
  std::size_t count = 1;
  while (count < std::min(most_lanes, kernels.size()) &&
         same_shape(kernels[0].root(), kernels[count].root())) {
    ++count;
  }
  return count;
}

template <class T>
std::vector<Matrix<T>> matrices(std::span<const Kernel> kernels, const Dataset& rows,
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
void gram_into(std::span<const Kernel> kernels, const Dataset& rows, const Dataset* columns,
               std::span<T* const> outputs, const Context& context, PartFile* part) {
  const Dataset& other = columns != nullptr ? *columns : rows;
  const std::vector<Kernel> complete = with_word_vectors(kernels, {&rows, &other});
  kernels = complete;
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
    const Plan plan = make_plan(settings, {&rows, ""}, {&other, ""}, inputs, shared);
    Outputs<T> some = all;
    some.matrices = outputs.subspan(done, count);
    Run<T> run(plan, some, shared);
    kept ? run.rest(*kept, done) : run.all();
    done += count;
  }
}

template <class T>
Matrix<T> gram(const Kernel& kernel, const Dataset& data, const Context& context) {
  return std::move(matrices<T>({&kernel, 1}, data, nullptr, context)[0]);
}

template <class T>
Matrix<T> gram(const Kernel& kernel, const Dataset& rows, const Dataset& columns,
               const Context& context) {
  return std::move(matrices<T>({&kernel, 1}, rows, &columns, context)[0]);
}

template <class T>
std::vector<Matrix<T>> gram(std::span<const Kernel> kernels, const Dataset& data,
                            const Context& context) {
  return matrices<T>(kernels, data, nullptr, context);
}

template <class T>
std::vector<Matrix<T>> gram(std::span<const Kernel> kernels, const Dataset& rows,
                            const Dataset& columns, const Context& context) {
  return matrices<T>(kernels, rows, &columns, context);
}

#define ESPALIER_INSTANTIATE(T)                                                                    \
  template void gram_into<T>(std::span<const Kernel>, const Dataset&, const Dataset*,              \
                             std::span<T* const>, const Context&, PartFile*);                      \
  template Matrix<T> gram<T>(const Kernel&, const Dataset&, const Context&);                       \
  template Matrix<T> gram<T>(const Kernel&, const Dataset&, const Dataset&, const Context&);       \
  template std::vector<Matrix<T>> gram<T>(std::span<const Kernel>, const Dataset&,                 \
                                          const Context&);                                         \
  template std::vector<Matrix<T>> gram<T>(std::span<const Kernel>, const Dataset&, const Dataset&, \
                                          const Context&);
ESPALIER_INSTANTIATE(float)
ESPALIER_INSTANTIATE(double)
#undef ESPALIER_INSTANTIATE

std::vector<double> diagonal(const Kernel& kernel, const Dataset& data, const Context& context) {
  return aligned(kernel, data, data, context);
}

std::vector<double> aligned(const Kernel& kernel, const Dataset& a, const Dataset& b,
                            const Context& context) {
  if (a.size() != b.size()) {
    throw Error("the data sets differ in size: " + std::to_string(a.size()) + " and " +
                std::to_string(b.size()) + " examples");
  }
  Inputs inputs;
  const Kernel complete = with_word_vectors(kernel, {&a, &b});
  const Plan plan = single_plan(complete, a, b, inputs, context);
  return checked(aligned_values(plan, a.size(), 1, context)[0], [](std::size_t i) { return i; });
}

std::vector<double> gram_row(const Kernel& kernel, const Dataset& data, std::size_t index,
                             const Context& context) {
  Inputs inputs;
  const Kernel complete = with_word_vectors(kernel, {&data});
  const Plan plan = single_plan(complete, data, data, inputs, context);
  std::vector<double> out(data.size());
  PlanWorker worker(plan);
  const BlockView<double> view{out.data(), 1};
  worker.block({0, data.size()}, {index, index + 1}, {&view, 1});
  return checked(std::move(out), [&](std::size_t) { return index; });
}

}  // namespace espalier
