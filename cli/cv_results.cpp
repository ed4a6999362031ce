#include "cv_results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "espalier/engine/discriminance.hpp"
#include "json.hpp"

namespace espalier::cli {

namespace {

/// The best mean among kernels that learn nothing: what others are compared with.
std::optional<double> best_fixed(std::span<const FittedKernel> kernels,
                                 std::span<const ValidationResult> results, const Metric& metric) {
  std::optional<double> best;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (needs_learning(kernels[k])) continue;
    const double mean = results[k].spread_of(metric).mean;
    if (!best || metric.better(mean, *best)) best = mean;
  }
  return best;
}

/// Each kernel's difference from the first one, by one metric.
std::vector<std::optional<SplitComparison>> compared(std::span<const ValidationResult> results,
                                                     const Metric& metric) {
  std::vector<std::optional<SplitComparison>> out = {std::nullopt};
  for (const ValidationResult& result : results.subspan(1)) {
    out.push_back(compare(result, results[0], metric));
  }
  adjust(out);
  return out;
}

}  // namespace

Table results_table(std::span<const FittedKernel> kernels,
                    std::span<const ValidationResult> results, std::span<const Metric> metrics) {
  const bool several = kernels.size() > 1;
  Table out;
  if (several) out.head.push_back("kernel");
  for (const char* title : {"metric", "mean", "deviation", "low", "high", "min", "max"}) {
    out.head.emplace_back(title);
  }
  if (several) {
    for (const char* title : {"difference", "p", "p (Holm)", "p (Wilcoxon)"}) {
      out.head.emplace_back(title);
    }
  }
  for (const Metric& metric : metrics) {
    const auto comparisons = compared(results, metric);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      auto& row = out.rows.emplace_back();
      if (several) row.push_back(kernels[k].to_string());
      const Spread spread = results[k].spread_of(metric);
      row.insert(row.end(), {metric.name(), cell(spread.mean), cell(spread.standard_deviation)});
      append_cells(results[k].interval_of(metric), row);
      row.insert(row.end(), {cell(spread.min), cell(spread.max)});
      if (!several) continue;
      const auto& found = comparisons[k];
      if (!found) {
        row.insert(row.end(), 4, "");
        continue;
      }
      row.insert(row.end(), {cell(found->difference), p_cell(found->p_value),
                             p_cell(found->adjusted_p_value), p_cell(found->wilcoxon_p_value)});
    }
  }
  return out;
}

std::string explanation_of_results(const ValidationResult& result, bool compared) {
  std::string out = fmt::format(
      "Over {} splits; low and high: 95 % interval of the mean (corrected resampled t).\n",
      result.splits.size());
  if (!compared) return out;
  return out +
         "difference: from the first kernel, on the same splits; p: corrected resampled t-test,\n"
         "adjusted for several kernels (Holm), and Wilcoxon's signed-rank test.\n";
}

std::string relative_text(std::span<const FittedKernel> kernels,
                          std::span<const ValidationResult> results,
                          std::span<const Metric> metrics) {
  std::string out;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (!needs_learning(kernels[k])) continue;
    std::string gains;
    for (const Metric& metric : metrics) {
      const auto best = best_fixed(kernels, results, metric);
      if (!best || *best <= 0) continue;
      gains += fmt::format("{}{} {:+.2f} %", gains.empty() ? "" : ", ", metric.name(),
                           100 * (results[k].spread_of(metric).mean / *best - 1));
    }
    if (!gains.empty()) {
      out += fmt::format("{} relative to the best fixed one: {}\n", kernels[k].to_string(), gains);
    }
  }
  return out;
}

std::string results_json(std::span<const FittedKernel> kernels,
                         std::span<const ValidationResult> results,
                         std::span<const Metric> metrics) {
  Json all = Json::array();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    Json& out = all.emplace_back(Json{{"kernel", kernels[k].to_string()}});
    out["splits"] = Json::array();
    for (const Outcomes& split : results[k].splits) {
      Json& one = out["splits"].emplace_back(Json::object());
      for (const Metric& metric : metrics) one[metric.name()] = to_json(metric(split));
    }
    for (const Metric& metric : metrics) {
      out["spread"][metric.name()] = to_json(results[k].spread_of(metric));
      out["interval"][metric.name()] = to_json(results[k].interval_of(metric));
    }
    out["all"] = to_json(evaluate(results[k].pooled));
  }
  for (const Metric& metric : metrics) {
    const auto comparisons = compared(results, metric);
    for (std::size_t k = 1; k < kernels.size(); ++k) {
      all[k]["compared_with_first"][metric.name()] = to_json(comparisons[k]);
    }
  }
  return json_text({{"results", all}});
}

}  // namespace espalier::cli
