#include "espalier/model/tune.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.hpp"
#include "espalier/base/number.hpp"
#include "model/setting_search.hpp"

namespace espalier {

namespace {

/// The examples from `begin` to `end` - 1.
std::vector<std::uint32_t> examples_from(std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> out(end - begin);
  std::iota(out.begin(), out.end(), static_cast<std::uint32_t>(begin));
  return out;
}

}  // namespace

std::vector<SweptKernel> swept_kernels(std::string_view expression) {
  std::vector<SweptKernel> out;
  for (const std::vector<Setting>& settings : sweep_settings(expression)) {
    SweptKernel& kernel = out.emplace_back();
    kernel.expression = expression;
    for (const auto& [name, text] : settings) {
      kernel.values.push_back({name, parse_number(text).value_or(0), text});
    }
  }
  return out;
}

std::vector<SettingValue> TunePoint::values() const {
  std::vector<SettingValue> out = kernel_values;
  out.insert(out.end(), parameters.begin(), parameters.end());
  return out;
}

std::string to_string(std::span<const SettingValue> values) {
  std::string out;
  for (const SettingValue& one : values) {
    out += (out.empty() ? "" : ", ") + one.name + " = " + one.text;
  }
  return out;
}

TrainOptions with_setting(TrainOptions options, const TunePoint& point) {
  Parameters parameters(options);
  for (const SettingValue& one : point.parameters) parameters.set(one.name, one.value);
  return options;
}

Metric tuning_metric(const TuneOptions& tuning, const Targets& targets) {
  if (!tuning.metric.empty()) return Metric(tuning.metric);
  return default_metric({targets.names, targets.classes, targets.classes});
}

void check_search(std::size_t kernels, const TrainOptions& options, const TuneOptions& tuning) {
  grid_settings(kernels, options, tuning);
}

std::vector<TunePoint> tune(std::span<const FittedKernel> kernels, const Dataset& data,
                            const TrainOptions& options, const TuneOptions& tuning,
                            const Context& context,
                            const std::function<void(const TunePoint&)>& finished,
                            const Dataset* validation) {
  if (validation == nullptr) {
    SettingSearch search(kernels, data, options, tuning, context);
    return search.run(search.splits(), finished);
  }
  Dataset all = data;
  all.append(*validation);
  SettingSearch search(kernels, all, options, tuning, context);
  const Split split{examples_from(0, data.size()), examples_from(data.size(), all.size())};
  return search.run({{split}, {split}, true}, finished);
}

NestedResult nested_cross_validate(
    std::span<const FittedKernel> kernels, const Dataset& data, const TrainOptions& options,
    const TuneOptions& tuning, const ValidationOptions& outer, const Context& context,
    const std::function<void(const TunePoint&, const Outcomes&)>& finished) {
  SettingSearch search(kernels, data, options, tuning, without_progress(context));
  const Validation& all = search.validation();
  const std::vector<Split> splits =
      make_splits(all.targets, data.size(), outer, all.groups.group_of);
  NestedResult out;
  for (const Split& split : splits) {
    const auto points = search.run(search.splits_within(split.train), {});
    const TunePoint& best = best_point(points, search.metric(), tuning.one_standard_error);
    Outcomes outcomes = search.test(static_cast<std::size_t>(&best - points.data()), split);
    out.chosen.push_back(best);
    if (finished) finished(best, outcomes);
    out.result.add(split, std::move(outcomes), all.groups.group_of, outer.split);
    report(context, out.chosen.size(), splits.size());
  }
  return out;
}

const TunePoint& best_point(std::span<const TunePoint> points, const Metric& metric,
                            bool one_standard_error) {
  if (points.empty()) throw Error("there are no settings to choose from");
  const TunePoint& best = *std::ranges::max_element(points, [&](const auto& a, const auto& b) {
    if (a.score.count != b.score.count) return a.score.count < b.score.count;
    return metric.better(b.score.mean, a.score.mean);
  });
  if (!one_standard_error) return best;
  const double error =
      best.score.standard_deviation.value_or(0) / std::sqrt(static_cast<double>(best.score.count));
  const double enough = best.score.mean + (metric.greater_is_better() ? -error : error);
  return *std::ranges::find_if(points, [&](const TunePoint& point) {
    return point.score.count == best.score.count && !metric.better(enough, point.score.mean);
  });
}

}  // namespace espalier
