#include <algorithm>
#include <numeric>

#include "espalier/model/validation.hpp"

namespace espalier {

namespace {

/// Whether both were tested on the same examples of each split; the labels and groups tell enough,
/// since splits are functions of these, the options and the seed.
bool same_splits(const ValidationResult& a, const ValidationResult& b) {
  return a.units == b.units && a.test_ratios == b.test_ratios;
}

}  // namespace

void ValidationResult::add(const Split& split, Outcomes outcomes,
                           std::span<const std::uint32_t> groups, SplitKind kind) {
  if (units.empty()) {
    pooled = outcomes;
  } else {
    pooled.append(outcomes);
  }
  for (const std::uint32_t i : split.test) units.push_back(groups[i]);
  if (kind == SplitKind::leave_one_out) return;
  splits.push_back(std::move(outcomes));
  test_ratios.push_back(static_cast<double>(split.test.size()) /
                        static_cast<double>(split.train.size()));
}

std::vector<double> ValidationResult::values_of(const Metric& metric) const {
  std::vector<double> out;
  for (const Outcomes& outcomes : splits) {
    if (const auto value = metric(outcomes)) out.push_back(*value);
  }
  if (out.empty()) out.push_back(metric.value(splits.empty() ? pooled : splits[0]));
  return out;
}

double ValidationResult::test_ratio() const {
  return std::accumulate(test_ratios.begin(), test_ratios.end(), 0.0) /
         static_cast<double>(test_ratios.size());
}

std::optional<Interval> ValidationResult::interval_of(const Metric& metric) const {
  if (splits.empty()) return estimate(metric, pooled, units).interval;
  const auto out = corrected_t_interval(values_of(metric), test_ratio());
  return out ? std::optional(metric.clipped(*out)) : out;
}

std::optional<SplitComparison> compare(const ValidationResult& a, const ValidationResult& b,
                                       const Metric& metric) {
  if (!same_splits(a, b) || a.splits.size() < 2) return std::nullopt;
  const std::vector<double> values_a = a.values_of(metric), values_b = b.values_of(metric);
  if (values_a.size() != a.splits.size() || values_b.size() != b.splits.size()) return std::nullopt;
  std::vector<double> differences;
  for (std::size_t s = 0; s < values_a.size(); ++s)
    differences.push_back(values_a[s] - values_b[s]);
  SplitComparison out;
  out.difference = spread(differences).mean;
  out.interval = corrected_t_interval(differences, a.test_ratio());
  out.p_value = corrected_t_test(differences, a.test_ratio())->p_value;
  out.wilcoxon_p_value = wilcoxon(differences).p_value;
  return out;
}

void adjust(std::span<std::optional<SplitComparison>> comparisons) {
  std::vector<double> p_values;
  for (const auto& one : comparisons) {
    if (one) p_values.push_back(*one->p_value);
  }
  const std::vector<double> adjusted = holm(p_values);
  auto next = adjusted.begin();
  for (auto& one : comparisons) {
    if (one) one->adjusted_p_value = *next++;
  }
}

}  // namespace espalier
