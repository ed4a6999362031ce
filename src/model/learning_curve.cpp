#include "espalier/model/learning_curve.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "espalier/base/error.hpp"
#include "espalier/base/random.hpp"
#include "espalier/model/word_vectors.hpp"
#include "model/trial.hpp"

namespace espalier {

namespace {

/// The examples in an order of which each beginning has about the same fraction of each class.
std::vector<std::uint32_t> curve_order(std::span<const std::uint32_t> examples,
                                       const Targets& targets, std::uint64_t seed) {
  std::vector<std::uint32_t> strata(examples.size(), 0);
  if (targets.task == Task::classification) {
    strata = rarest_classes(targets.classes.select(examples));
  }
  std::vector<std::uint32_t> order(examples.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  Random random(seed);
  random.shuffle(std::span(order));
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_class;
  for (const std::uint32_t i : order) by_class[strata[i]].push_back(i);
  std::vector<std::pair<double, std::uint32_t>> places;
  for (const auto& [c, members] : by_class) {
    for (std::size_t k = 0; k < members.size(); ++k) {
      const double place =
          (static_cast<double>(k) + random.uniform()) / static_cast<double>(members.size());
      places.emplace_back(place, examples[members[k]]);
    }
  }
  std::ranges::sort(places);
  std::vector<std::uint32_t> out;
  out.reserve(places.size());
  for (const auto& place : places) out.push_back(place.second);
  return out;
}

std::vector<std::size_t> sizes_for(const CurveOptions& curve, std::span<const Split> splits) {
  std::size_t most = splits[0].train.size();
  for (const Split& split : splits) most = std::min(most, split.train.size());
  std::set<std::size_t> out(curve.sizes.begin(), curve.sizes.end());
  if (!out.empty() && *out.rbegin() > most) {
    throw Error("size = " + std::to_string(*out.rbegin()) + " is more than the " +
                std::to_string(most) + " examples that a split has to train on");
  }
  if (out.empty()) {
    for (std::size_t size = most, k = 0; k < 5 && size >= 2; ++k, size /= 2) out.insert(size);
  }
  return {out.begin(), out.end()};
}

/// The results of all splits for one size.
struct SizeResult {
  ValidationResult result;
  std::vector<double> seconds;
};

void train_part(const Trial& trial, const Split& split, const TrainOptions& options,
                const Validation& validation, const Context& context, SizeResult& out) {
  const auto start = std::chrono::steady_clock::now();
  const Predictions predictions = train_and_score(trial, split, options, context);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  out.seconds.push_back(elapsed.count());
  out.result.splits.push_back(validation.outcomes(split.test, predictions));
  out.result.test_ratios.push_back(static_cast<double>(split.test.size()) /
                                   static_cast<double>(split.train.size()));
}

CurvePoint point_of(const FittedKernel& kernel, std::size_t size, const SizeResult& found,
                    double test_ratio, const Metric& metric) {
  const std::vector<double> values = found.result.values_of(metric);
  auto interval = corrected_t_interval(values, test_ratio);
  if (interval) interval = metric.clipped(*interval);
  return {kernel.to_string(), size, spread(values), interval, spread(found.seconds)};
}

double mean_test_ratio(std::span<const Split> splits) {
  double sum = 0;
  for (const Split& split : splits) {
    sum += static_cast<double>(split.test.size()) / static_cast<double>(split.train.size());
  }
  return sum / static_cast<double>(splits.size());
}

}  // namespace

std::vector<CurvePoint> learning_curve(std::span<const FittedKernel> kernels, const Dataset& data,
                                       const TrainOptions& options, const CurveOptions& curve,
                                       const std::string& metric_name, const Context& context,
                                       const std::function<void(const CurvePoint&)>& finished) {
  if (curve.validation.split == SplitKind::leave_one_out) {
    throw Error("a learning curve needs test parts with several examples: use folds or random");
  }
  const std::vector<FittedKernel> complete = load_word_vectors(kernels, {&data});
  const Validation all(data, options, curve.validation);
  const Metric metric = tuning_metric({.metric = metric_name}, all.targets);
  const Context quiet = without_progress(context);
  std::vector<CurvePoint> out;
  for_each_trial(
      complete, data, all.targets, options, quiet, [&](std::size_t k, const Trial& trial) {
        const std::vector<Split> splits = all.splits_for(complete[k]);
        const std::vector<std::size_t> sizes = sizes_for(curve, splits);
        std::vector<std::vector<std::uint32_t>> orders;
        for (std::size_t s = 0; s < splits.size(); ++s) {
          orders.push_back(curve_order(splits[s].train, all.targets, curve.validation.seed + s));
        }
        for (std::size_t n = 0; n < sizes.size(); ++n) {
          SizeResult found;
          for (std::size_t s = 0; s < splits.size(); ++s) {
            if (context.cancelled && context.cancelled()) throw Cancelled();
            Split part = splits[s];
            part.train.assign(orders[s].begin(),
                              orders[s].begin() + static_cast<std::ptrdiff_t>(sizes[n]));
            std::ranges::sort(part.train);
            train_part(trial, part, options, all, quiet, found);
          }
          out.push_back(point_of(complete[k], sizes[n], found, mean_test_ratio(splits), metric));
          if (finished) finished(out.back());
          report(context, k * sizes.size() + n + 1, complete.size() * sizes.size());
        }
      });
  return out;
}

}  // namespace espalier
