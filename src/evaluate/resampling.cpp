#include "espalier/evaluate/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "espalier/base/error.hpp"
#include "espalier/base/random.hpp"
#include "evaluate/distributions.hpp"

namespace espalier {

namespace {

/// Per example: its unit, numbered from 0.
struct Units {
  std::vector<std::uint32_t> of;
  std::size_t count = 0;

  Units(std::span<const std::uint32_t> numbers, std::size_t examples) {
    if (numbers.empty()) {
      of.resize(examples);
      std::iota(of.begin(), of.end(), 0U);
      count = examples;
      return;
    }
    if (numbers.size() != examples) throw Error("there must be one unit for each example");
    std::unordered_map<std::uint32_t, std::uint32_t> places;
    for (const std::uint32_t number : numbers) {
      of.push_back(
          places.try_emplace(number, static_cast<std::uint32_t>(places.size())).first->second);
    }
    count = places.size();
  }
  bool single() const { return count == of.size(); }
};

/// The units to resample: ranked groups are drawn whole.
Units units_for(const Metric& metric, const Outcomes& outcomes,
                std::span<const std::uint32_t> numbers) {
  if (metric.description().task != "ranking") return {numbers, outcomes.size()};
  Units out(numbers.empty() ? outcomes.groups : numbers, outcomes.size());
  std::unordered_map<std::uint32_t, std::uint32_t> unit_of;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (unit_of.try_emplace(outcomes.groups[i], out.of[i]).first->second == out.of[i]) continue;
    throw Error("the examples of a ranked group must be resampled together: use its groups");
  }
  return out;
}

/// A function of the weights of examples.
using Statistic = std::function<std::optional<double>(std::span<const double> weights)>;

/// A seed for each resample, so that they can be drawn in any order.
std::vector<std::uint64_t> resample_seeds(const ResamplingOptions& options) {
  Random random(options.seed);
  std::vector<std::uint64_t> out(options.resamples);
  for (std::uint64_t& seed : out) seed = random.next();
  return out;
}

/// statistic(resample) for all resamples.
template <class Draw>
std::vector<std::optional<double>> resampled(const ResamplingOptions& options,
                                             const Context& context, Draw draw) {
  const std::vector<std::uint64_t> seeds = resample_seeds(options);
  std::vector<std::optional<double>> out(seeds.size());
  constexpr std::size_t together = 16;  // a task should be worth a thread's while
  parallel((seeds.size() + together - 1) / together, context,
           [&](std::size_t, std::size_t task) {
             for (std::size_t r = task * together;
                  r < std::min(seeds.size(), (task + 1) * together); ++r) {
               Random random(seeds[r]);
               out[r] = draw(random);
             }
           },
           [](std::size_t) { return 1.0; });
  return out;
}

/// Linear between the sorted values.
double quantile(std::span<const double> sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == sorted.size()) return sorted[below];
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/// How the spread of a statistic changes with its value, from the values without each unit in turn,
/// or without each of at most 200 sets of units. 0 where these are not defined.
double acceleration(const Statistic& statistic, const Units& units) {
  constexpr std::size_t most_sets = 200;
  const std::size_t sets = std::min(units.count, most_sets);
  std::vector<double> values;
  for (std::size_t set = 0; set < sets; ++set) {
    std::vector<double> weights;
    for (const std::uint32_t unit : units.of) weights.push_back(unit % sets == set ? 0 : 1);
    const auto value = statistic(weights);
    if (!value) return 0;
    values.push_back(*value);
  }
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(sets);
  double squares = 0, cubes = 0;
  for (const double value : values) {
    const double d = mean - value;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares == 0 ? 0 : cubes / (6 * squares * std::sqrt(squares));
}

/// The fractions of the resamples that are below the interval and below its upper end, corrected
/// for bias and acceleration (BCa, Efron 1987). Without any resample on one side of the observed
/// value there is nothing to correct by.
std::pair<double, double> corrected_levels(std::span<const double> sorted, double observed,
                                           double tail, double acceleration) {
  const auto below = std::ranges::lower_bound(sorted, observed) - sorted.begin();
  const auto up_to = std::ranges::upper_bound(sorted, observed) - sorted.begin();
  const double share =
      static_cast<double>(below + up_to) / (2 * static_cast<double>(sorted.size()));
  if (share <= 0 || share >= 1) return {tail, 1 - tail};
  const double bias = normal_quantile(share);
  const auto level = [&](double z) {
    return normal_below(bias + (bias + z) / (1 - acceleration * (bias + z)));
  };
  const double z = -normal_quantile(tail);
  return {level(-z), level(z)};
}

std::optional<Interval> bootstrap(const Statistic& statistic, double observed, const Units& units,
                                  const ResamplingOptions& options, const Context& context) {
  if (options.resamples == 0 || units.count < 2) return std::nullopt;
  const auto found = resampled(options, context, [&](Random& random) {
    std::vector<double> drawn(units.count, 0);
    for (std::size_t i = 0; i < units.count; ++i) ++drawn[random.below(units.count)];
    std::vector<double> weights;
    for (const std::uint32_t unit : units.of) weights.push_back(drawn[unit]);
    return statistic(weights);
  });
  std::vector<double> values;
  for (const auto& value : found) {
    if (value) values.push_back(*value);
  }
  if (20 * values.size() < 19 * found.size()) return std::nullopt;
  std::ranges::sort(values);
  if (values.front() == values.back()) return std::nullopt;
  const auto [low, high] = corrected_levels(values, observed, (1 - options.confidence) / 2,
                                            acceleration(statistic, units));
  return Interval{quantile(values, low), quantile(values, high)};
}

std::optional<double> difference(const WeightedMetric& metric, std::span<const double> first,
                                 std::span<const double> second) {
  const auto a = metric(first), b = metric(second);
  if (!a || !b) return std::nullopt;
  return *a - *b;
}

/// How often exchanging the predictions of some units gives at least this difference.
class PermutationTest {
 public:
  PermutationTest(const WeightedMetric& metric, const Units& units, double observed)
      : metric_(metric), units_(units), least_(std::abs(observed) * (1 - 1e-12)) {}

  double p_value(const ResamplingOptions& options, const Context& context) const {
    const bool all = units_.count < 40 && (std::uint64_t{1} << units_.count) <= options.resamples;
    return all ? exact() : estimated(options, context);
  }

 private:
  bool reaches(const std::vector<bool>& exchanged) const {
    const std::size_t n = units_.of.size();
    std::vector<double> first(2 * n), second(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const bool swapped = exchanged[units_.of[i]];
      first[i] = second[n + i] = swapped ? 0 : 1;
      first[n + i] = second[i] = swapped ? 1 : 0;
    }
    // Where it is not defined it is no evidence against the null hypothesis being true.
    const auto found = difference(metric_, first, second);
    return !found || std::abs(*found) >= least_;
  }
  double exact() const {
    const std::uint64_t all = std::uint64_t{1} << units_.count;
    std::uint64_t reached = 0;
    for (std::uint64_t bits = 0; bits < all; ++bits) {
      std::vector<bool> exchanged(units_.count);
      for (std::size_t u = 0; u < units_.count; ++u) exchanged[u] = ((bits >> u) & 1) != 0;
      reached += reaches(exchanged);
    }
    return static_cast<double>(reached) / static_cast<double>(all);
  }
  double estimated(const ResamplingOptions& options, const Context& context) const {
    const auto found = resampled(options, context, [&](Random& random) -> std::optional<double> {
      std::vector<bool> exchanged(units_.count);
      for (std::size_t u = 0; u < units_.count; ++u) exchanged[u] = random.below(2) == 1;
      return reaches(exchanged) ? 1.0 : 0.0;
    });
    double reached = 1;  // what was observed is one of the permutations
    for (const auto& one : found) reached += *one;
    return reached / static_cast<double>(found.size() + 1);
  }

  const WeightedMetric& metric_;
  const Units& units_;
  double least_;
};

TestResult mcnemar_of(const Outcomes& a, const Outcomes& b) {
  std::uint64_t only_a = 0, only_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    only_a += a.correct(i) && !b.correct(i);
    only_b += b.correct(i) && !a.correct(i);
  }
  return mcnemar(only_a, only_b);
}

void check_same(const Outcomes& a, const Outcomes& b) {
  bool same = a.size() == b.size() && a.classes == b.classes && a.groups == b.groups &&
              a.true_numbers == b.true_numbers;
  for (std::size_t i = 0; same && !a.regression() && i < a.size(); ++i) {
    same = std::ranges::equal(a.truth[i], b.truth[i]);
  }
  if (!same) throw Error("only predictions for the same examples, in the same order, compare");
}

}  // namespace

Estimate estimate(const Metric& metric, const Outcomes& outcomes,
                  std::span<const std::uint32_t> units, const ResamplingOptions& options,
                  const Context& context) {
  check_parameters(options);
  const WeightedMetric weighted = metric.prepare(outcomes);
  Estimate out{metric.name(), weighted(std::vector<double>(outcomes.size(), 1.0)), {}};
  if (out.value) {
    out.interval =
        bootstrap(weighted, *out.value, units_for(metric, outcomes, units), options, context);
  }
  return out;
}

MetricComparison compare(const Metric& metric, const Outcomes& a, const Outcomes& b,
                         std::span<const std::uint32_t> units, const ResamplingOptions& options,
                         const Context& context) {
  check_parameters(options);
  check_same(a, b);
  MetricComparison out{metric.name(), metric.value(a), metric.value(b), 0, {}, "permutation", {}};
  out.difference = out.a - out.b;
  const Units all = units_for(metric, a, units);
  Outcomes both = a;  // the second half of the examples is that of b
  both.append(b);
  const WeightedMetric weighted = metric.prepare(both);
  out.interval = bootstrap(
      [&](std::span<const double> weights) {
        std::vector<double> first(2 * weights.size(), 0), second(2 * weights.size(), 0);
        std::ranges::copy(weights, first.begin());
        std::ranges::copy(weights, second.begin() + static_cast<std::ptrdiff_t>(weights.size()));
        return difference(weighted, first, second);
      },
      out.difference, all, options, context);
  if (metric.name() == "accuracy" && all.single()) {
    out.test = "mcnemar";
    out.p_value = mcnemar_of(a, b).p_value;
  } else if (options.resamples > 0) {
    out.p_value = PermutationTest(weighted, all, out.difference).p_value(options, context);
  }
  return out;
}

}  // namespace espalier
