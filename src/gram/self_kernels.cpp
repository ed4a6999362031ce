#include "gram/self_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

constexpr std::size_t chunk = 64;

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

/// Zero is right for an example without countable nodes, but not for an underflow.
Magnitude magnitude(const Plan& plan, std::size_t example, double value) {
  if (!std::isfinite(value)) return Magnitude::large;
  if (value >= smallest_ordinary) return Magnitude::ordinary;
  const bool vanished = plan.leaf && plan.leaf->never_vanishes(example);
  return value > 0 || vanished ? Magnitude::small : Magnitude::ordinary;
}

std::vector<Scaled> scaled_values(const Plan& plan, std::size_t setting, std::size_t count,
                                  const Context& context) {
  std::vector<Scaled> out(count);
  for_each_example(plan, count, context, [&](PlanWorker& worker, std::size_t i) {
    worker.scaled_block(setting, {i, i + 1}, {i, i + 1}, {&out[i], 1});
  });
  return out;
}

std::vector<Magnitude> magnitudes(const Plan& plan, const std::vector<double>& values) {
  std::vector<Magnitude> out;
  for (std::size_t i = 0; i < values.size(); ++i) out.push_back(magnitude(plan, i, values[i]));
  return out;
}

std::vector<double> roots(std::vector<double> values) {
  for (double& value : values) value = std::sqrt(value);
  return values;
}

std::vector<double> checked_roots(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw Error("the kernel of example " + std::to_string(i + 1) +
                  " with itself is too large for double precision: use norm(..) around each tree "
                  "kernel, or a smaller decay");
    }
  }
  return roots(values);
}

}  // namespace

std::vector<std::vector<double>> aligned_values(const Plan& plan, std::size_t count,
                                                std::size_t settings, const Context& context) {
  std::vector<std::vector<double>> out(settings, std::vector<double>(count));
  for_each_example(plan, count, context, [&](PlanWorker& worker, std::size_t i) {
    std::vector<BlockView<double>> views;
    for (std::size_t s = 0; s < settings; ++s) views.push_back({&out[s][i], 1});
    worker.start({i, i + 1}, {i, i + 1});
    worker.rows({i, i + 1}, views);
  });
  return out;
}

std::vector<NormLengths> norm_lengths(const Plan& rows, const Plan& columns, std::size_t row_count,
                                      std::size_t column_count, std::size_t settings,
                                      const Context& context) {
  const bool same = &rows == &columns;
  const auto row_values = aligned_values(rows, row_count, settings, context);
  const auto column_values =
      same ? row_values : aligned_values(columns, column_count, settings, context);
  std::vector<NormLengths> out(settings);
  for (std::size_t s = 0; s < settings; ++s) {
    const auto row_magnitudes = magnitudes(rows, row_values[s]);
    const auto column_magnitudes = same ? row_magnitudes : magnitudes(columns, column_values[s]);
    const auto ordinary = [](Magnitude m) { return m == Magnitude::ordinary; };
    const bool plain = std::ranges::all_of(row_magnitudes, ordinary) &&
                       std::ranges::all_of(column_magnitudes, ordinary);
    if (plain || rows.kind != Plan::Kind::leaf) {
      out[s].rows.roots = checked_roots(row_values[s]);
      out[s].columns.roots = checked_roots(column_values[s]);
      continue;
    }
    out[s].rows = {roots(row_values[s]), row_magnitudes,
                   scaled_values(rows, s, row_count, context)};
    out[s].columns = same ? out[s].rows
                          : SideLengths{roots(column_values[s]), column_magnitudes,
                                        scaled_values(columns, s, column_count, context)};
  }
  return out;
}

}  // namespace espalier
