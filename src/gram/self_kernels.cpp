#include "gram/self_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

constexpr std::size_t chunk = 64;

/// Below this, products of kernel values may lose bits; subnormal numbers have fewer of them.
constexpr double smallest_ordinary = 1e-290;

/// Calls work(worker, i) for all i below `count`.
template <class Work>
void for_each_example(const Plan& plan, std::size_t count, const Context& context, Work&& work) {
  std::vector<std::unique_ptr<PlanWorker>> workers(thread_count(context));
  Context quiet = context;
  quiet.progress = nullptr;
  parallel((count + chunk - 1) / chunk, quiet,
           [&](std::size_t worker, std::size_t task) {
             if (!workers[worker]) workers[worker] = std::make_unique<PlanWorker>(plan);
             for (std::size_t i = task * chunk; i < std::min(count, (task + 1) * chunk); ++i) {
               work(*workers[worker], i);
             }
           },
           [](std::size_t) { return 1.0; });
}

bool has_inner_vertex(const Plan& plan, std::size_t example) {
  if (!plan.trees) return false;
  const Bags& bags = *plan.trees->rows;
  const auto occurrences = bags[example].occurrences;
  return !occurrences.empty() && !bags.forest().is_leaf(occurrences.back().vertex);
}

/// Whether the values can be divided by as they are. Zero is right for an example that has nothing
/// to count, but not for one that vanished.
bool ordinary(const Plan& plan, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return false;
    if (values[i] < smallest_ordinary && (values[i] > 0 || has_inner_vertex(plan, i))) return false;
  }
  return true;
}

std::vector<Scaled> scaled_values(const Plan& plan, std::size_t setting, std::size_t count,
                                  const Context& context) {
  std::vector<Scaled> out(count);
  for_each_example(plan, count, context, [&](PlanWorker& worker, std::size_t i) {
    worker.scaled_block(setting, {i, i + 1}, {i, i + 1}, {&out[i], 1});
  });
  return out;
}

std::vector<double> square_roots(std::vector<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw Error("the kernel of example " + std::to_string(i + 1) +
                  " with itself is too large for double precision: use norm(..) around each tree "
                  "kernel, or a smaller decay");
    }
    values[i] = std::sqrt(values[i]);
  }
  return values;
}

}  // namespace

std::vector<std::vector<double>> aligned_values(const Plan& plan, std::size_t count,
                                                std::size_t settings, const Context& context) {
  std::vector<std::vector<double>> out(settings, std::vector<double>(count));
  for_each_example(plan, count, context, [&](PlanWorker& worker, std::size_t i) {
    std::vector<BlockView<double>> views;
    for (std::size_t s = 0; s < settings; ++s) views.push_back({&out[s][i], 1});
    worker.block({i, i + 1}, {i, i + 1}, views);
  });
  return out;
}

std::vector<Plan::SelfKernels> self_kernels(const Plan& rows, const Plan& columns,
                                            std::size_t row_count, std::size_t column_count,
                                            std::size_t settings, const Context& context) {
  const bool same = &rows == &columns;
  const auto row_values = aligned_values(rows, row_count, settings, context);
  const auto column_values =
      same ? row_values : aligned_values(columns, column_count, settings, context);
  std::vector<Plan::SelfKernels> out(settings);
  for (std::size_t s = 0; s < settings; ++s) {
    const bool plain = ordinary(rows, row_values[s]) && ordinary(columns, column_values[s]);
    if (plain || rows.kind != Plan::Kind::leaf) {
      out[s].rows = square_roots(row_values[s]);
      out[s].columns = square_roots(column_values[s]);
    } else {
      out[s].scaled_rows = scaled_values(rows, s, row_count, context);
      out[s].scaled_columns =
          same ? out[s].scaled_rows : scaled_values(columns, s, column_count, context);
    }
  }
  return out;
}

}  // namespace espalier
