#include "espalier/gram/gram.hpp"

#include <algorithm>
#include <cmath>

#include "base/cancel.hpp"
#include "espalier/gram/word_vectors.hpp"
#include "gram/plan.hpp"
#include "gram/self_kernels.hpp"

namespace espalier {

namespace {

// Measured on questions and programs: wide enough to share work between columns, narrow enough that
// a row of one group stays in the first cache.
constexpr std::size_t block_columns = 512;

/// The most that any leaf of the plan wants.
std::size_t block_rows(const Plan& plan) {
  std::size_t rows = 1;
  for (const Plan::Group& group : plan.groups) rows = std::max(rows, group.leaf->rows_at_once());
  for (const Plan& part : plan.parts) rows = std::max(rows, block_rows(part));
  return rows;
}

struct Block {
  Slice rows;
  Slice columns;
  double cells() const {
    return static_cast<double>(rows.size()) * static_cast<double>(columns.size());
  }
};

/// The blocks of a matrix: all of it, or of a symmetric one those that reach its lower triangle.
std::vector<Block> cut(std::size_t rows, std::size_t columns, std::size_t rows_at_once,
                       bool symmetric, std::size_t threads) {
  // Enough blocks for all threads to end at about the same time.
  const std::size_t width =
      std::clamp<std::size_t>(columns / (4 * threads), 8, std::max<std::size_t>(block_columns, 8));
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
  Run(const Plan& plan, std::size_t columns, bool symmetric, std::span<T* const> outputs,
      const Context& context)
      : plan_(plan),
        columns_(columns),
        symmetric_(symmetric),
        outputs_(outputs),
        context_(context),
        workers_(thread_count(context)) {}

  void all(std::size_t rows) {
    const auto blocks = cut(rows, columns_, block_rows(plan_), symmetric_, workers_.size());
    parallel(
        blocks.size(), context_,
        [&](std::size_t worker, std::size_t task) {
          if (!workers_[worker]) workers_[worker] = std::make_unique<Worker>(plan_);
          compute(*workers_[worker], blocks[task]);
        },
        [&](std::size_t task) { return blocks[task].cells(); });
  }

 private:
  struct Worker {
    explicit Worker(const Plan& p) : plan(p) {}
    PlanWorker plan;
    std::vector<double> values;
  };

  /// Halves the block until it fits the share of memory that a thread has.
  void compute(Worker& worker, const Block& block) {
    const std::size_t cells = block.rows.size() * block.columns.size();
    const std::size_t bytes =
        worker.plan.bytes(block.rows, block.columns) + cells * outputs_.size() * sizeof(double);
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
    worker.values.resize(cells * outputs_.size());
    std::vector<BlockView<double>> outs;
    for (std::size_t s = 0; s < outputs_.size(); ++s) {
      outs.push_back({worker.values.data() + s * cells, block.columns.size()});
    }
    worker.plan.block(block.rows, block.columns, outs);
    for (std::size_t s = 0; s < outputs_.size(); ++s) store(block, outs[s], outputs_[s]);
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
    double check = 0;
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      const double* const row = values.row(i - block.rows.begin) - block.columns.begin;
      const std::size_t end = symmetric_ ? std::min(columns.end, i + 1) : columns.end;
      for (std::size_t j = columns.begin; j < end; ++j) {
        out[i * columns_ + j] = static_cast<T>(row[j]);
        check += out[i * columns_ + j] - out[i * columns_ + j];  // 0, or nan if it is not finite
      }
    }
    if (!(check == 0)) find_not_finite(rows, columns, out);
    if (!symmetric_) return;
    for (std::size_t j = columns.begin; j < columns.end; ++j) {
      for (std::size_t i = std::max(rows.begin, j + 1); i < rows.end; ++i) {
        out[j * columns_ + i] = out[i * columns_ + j];
      }
    }
  }

  void find_not_finite(Slice rows, Slice columns, const T* out) const {
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      for (std::size_t j = columns.begin;
           j < (symmetric_ ? std::min(columns.end, i + 1) : columns.end); ++j) {
        if (!std::isfinite(out[i * columns_ + j]))
          fail_not_finite(i, j, sizeof(T) == sizeof(float));
      }
    }
  }

  const Plan& plan_;
  std::size_t columns_;
  bool symmetric_;
  std::span<T* const> outputs_;
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
               std::span<T* const> outputs, const Context& context) {
  const Dataset& other = columns != nullptr ? *columns : rows;
  const std::vector<Kernel> complete = with_word_vectors(kernels, {&rows, &other});
  kernels = complete;
  Inputs inputs;
  for (std::size_t done = 0; done < kernels.size();) {
    const std::size_t count = leading_group(kernels.subspan(done));
    std::vector<const KernelNode*> settings;
    for (std::size_t s = 0; s < count; ++s) settings.push_back(&kernels[done + s].root());
    Context part = context;
    if (context.progress) {
      part.progress = [&, done, count](double share) {
        context.progress((static_cast<double>(done) + share * static_cast<double>(count)) /
                         static_cast<double>(kernels.size()));
      };
    }
    const Plan plan = make_plan(settings, {&rows, ""}, {&other, ""}, inputs, part);
    Run<T>(plan, other.size(), columns == nullptr, outputs.subspan(done, count), part)
        .all(rows.size());
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
                             std::span<T* const>, const Context&);                                 \
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
