#include "espalier/gram/gram.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gram/block_run.hpp"
#include "gram/finished_blocks.hpp"
#include "gram/self_kernels.hpp"

namespace espalier {

namespace {

Plan single_plan(const FittedKernel& kernel, const Dataset& rows, const Dataset& columns,
                 Inputs& inputs, const Context& context) {
  const KernelNode* root = &kernel.root();
  return make_plan({&root, 1}, kernel.state, {&rows, ""}, {&columns, ""}, inputs, context);
}

/// `column` gives the column that value i belongs to.
template <class Column>
std::vector<double> checked(std::vector<double> values, Column&& column) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) throw KernelNotFinite(i, column(i), false);
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

GramShape shape_of(const Dataset& rows, const Dataset* columns) {
  return {rows.size(), columns != nullptr ? columns->size() : rows.size(), columns == nullptr};
}

/// Enough blocks to balance the load.
std::size_t enough_stripes(const Context& context) { return 4 * thread_count(context); }

// A resumable matrix has these blocks for any number of threads, so that a run with another number
// can resume it.
constexpr std::size_t stripes_kept = 32;

/// Kernels that are computed in one pass.
struct Group {
  std::size_t first = 0;
  std::size_t count = 0;
  Plan plan;
  Context context;  ///< reports progress as a fraction of all kernels
};

/// Calls compute(group) for all kernels, in order.
template <class Compute>
void for_each_group(std::span<const FittedKernel> kernels, const Dataset& rows,
                    const Dataset* columns, const Context& context, Compute&& compute) {
  const Dataset& other = columns != nullptr ? *columns : rows;
  Inputs inputs;
  for (std::size_t first = 0; first < kernels.size();) {
    const std::size_t count = leading_group(kernels.subspan(first));
    std::vector<const KernelNode*> settings;
    for (std::size_t s = 0; s < count; ++s) settings.push_back(&kernels[first + s].root());
    Context shared = context;
    if (context.progress) {
      shared.progress = [&, first, count](double share) {
        context.progress((static_cast<double>(first) + share * static_cast<double>(count)) /
                         static_cast<double>(kernels.size()));
      };
    }
    compute(
        Group{first, count,
              make_plan(settings, kernels[first].state, {&rows, ""}, {&other, ""}, inputs, shared),
              shared});
    first += count;
  }
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
               std::span<T* const> outputs, const Context& context) {
  const GramShape shape = shape_of(rows, columns);
  const auto compute = [&](const Group& group) {
    const auto output = [&] {
      return std::make_unique<MemoryOutput<T>>(outputs.subspan(group.first, group.count), shape);
    };
    BlockRun<T>(group.plan, shape, group.count, output, group.context)
        .run(
            cut(shape, enough_stripes(context)), [](const Block&) { return false; },
            [](const Block&) {});
  };
  for_each_group(kernels, rows, columns, context, compute);
}

template <class T>
void gram_into(std::span<const FittedKernel> kernels, const Dataset& rows, const Dataset* columns,
               MatrixStorage<T>& storage, const Context& context, Checkpoint* part) {
  const GramShape shape = shape_of(rows, columns);
  std::optional<FinishedBlocks<T>> finished;
  if (part != nullptr) finished.emplace(*part, storage, shape);
  const std::size_t buffer = context.memory / thread_count(context) / 8;
  const auto compute = [&](const Group& group) {
    const auto output = [&] {
      return std::make_unique<StorageOutput<T>>(storage, shape, group.first, group.count, buffer);
    };
    BlockRun<T>(group.plan, shape, group.count, output, group.context)
        .run(
            cut(shape, finished ? stripes_kept : enough_stripes(context)),
            [&](const Block& b) { return finished && finished->has(group.first, group.count, b); },
            [&](const Block& b) {
              if (finished) finished->add(group.first, group.count, b);
            });
  };
  for_each_group(kernels, rows, columns, context, compute);
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
                             std::span<T* const>, const Context&);                                 \
  template void gram_into<T>(std::span<const FittedKernel>, const Dataset&, const Dataset*,        \
                             MatrixStorage<T>&, const Context&, Checkpoint*);                      \
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
