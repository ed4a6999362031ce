#include "espalier/evaluate/resampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/random.hpp"
#include "evaluate/random_outcomes.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::random_classes;
using test::random_numbers;

TEST(Bootstrap, DoesNotDependOnThreads) {
  const Outcomes all = random_classes({.examples = 80, .classes = 3, .groups = 9, .seed = 1});
  for (const char* name : {"accuracy", "macro_f1", "roc_auc", "map"}) {
    const Metric metric(name);
    const Estimate one = estimate(metric, all, all.groups, {.resamples = 300}, {.threads = 1});
    const Estimate many = estimate(metric, all, all.groups, {.resamples = 300}, {.threads = 5});
    EXPECT_EQ(one.interval->low, many.interval->low);
    EXPECT_EQ(one.interval->high, many.interval->high);
    EXPECT_LE(one.interval->low, *one.value);
    EXPECT_GE(one.interval->high, *one.value);
    const Estimate other = estimate(metric, all, all.groups, {.resamples = 300, .seed = 2});
    EXPECT_NE(one.interval->low, other.interval->low);
  }
}

TEST(Bootstrap, OfAMeanIsNearTheNormalInterval) {
  const Outcomes all = random_classes({.examples = 400, .classes = 3, .seed = 3});
  const Estimate found = estimate(Metric("accuracy"), all, {}, {.resamples = 4000});
  const double p = *found.value, reach = 1.96 * std::sqrt(p * (1 - p) / 400);
  EXPECT_NEAR(found.interval->low, p - reach, 0.008);
  EXPECT_NEAR(found.interval->high, p + reach, 0.008);
  const Estimate wide =
      estimate(Metric("accuracy"), all, {}, {.resamples = 4000, .confidence = 0.99});
  EXPECT_LT(wide.interval->low, found.interval->low);
}

TEST(Bootstrap, ResamplesUnitsWhole) {
  // 20 units of 10 equal examples: as uncertain as 20 examples.
  Outcomes all{{"a", "b"}, ClassLists(2), ClassLists(2)};
  std::vector<std::uint32_t> units;
  for (std::uint32_t i = 0; i < 200; ++i) {
    all.truth.add(0);
    all.predicted.add(i / 10 % 4 == 0 ? 1 : 0);
    units.push_back(i / 10);
  }
  all.scores.resize(200);
  const Metric accuracy("accuracy");
  const Interval alone = *estimate(accuracy, all, {}).interval;
  const Interval together = *estimate(accuracy, all, units).interval;
  EXPECT_NEAR((together.high - together.low) / (alone.high - alone.low), std::sqrt(10), 0.5);
}

TEST(Bootstrap, DrawsRankedGroupsWhole) {
  const Outcomes all = random_classes({.examples = 60, .classes = 2, .groups = 9, .seed = 6});
  const Metric metric("map");
  const Estimate by_group = estimate(metric, all, all.groups);
  EXPECT_EQ(estimate(metric, all, {}).interval->low, by_group.interval->low);
  std::vector<std::uint32_t> examples(60);
  std::iota(examples.begin(), examples.end(), 0U);
  EXPECT_TRUE(fails_with("must be resampled together", [&] { estimate(metric, all, examples); }));
}

TEST(Bootstrap, IsAbsentWhereItSaysNothing) {
  Outcomes all = random_classes({.examples = 20, .classes = 2, .seed = 1});
  all.predicted = all.truth;
  EXPECT_EQ(estimate(Metric("accuracy"), all, {}).value, 1);
  EXPECT_FALSE(estimate(Metric("accuracy"), all, {}).interval);
  all = random_classes({.examples = 20, .classes = 2, .seed = 1});
  EXPECT_FALSE(estimate(Metric("accuracy"), all, {}, {.resamples = 0}).interval);
  EXPECT_FALSE(estimate(Metric("accuracy"), all, std::vector<std::uint32_t>(20, 1)).interval);
  // One positive example: a third of the resamples have none.
  all.truth = ClassLists(2);
  for (std::uint32_t i = 0; i < 20; ++i) all.truth.add(i == 0 ? 1 : 0);
  EXPECT_TRUE(estimate(Metric("roc_auc:c1"), all, {}).value);
  EXPECT_FALSE(estimate(Metric("roc_auc:c1"), all, {}).interval);
  EXPECT_TRUE(
      fails_with("confidence", [&] { estimate(Metric("accuracy"), all, {}, {.confidence = 1}); }));
}

/// With the predictions of some units exchanged.
double exchanged_difference(const Metric& metric, const Outcomes& a, const Outcomes& b,
                            std::span<const std::uint32_t> units, std::uint32_t exchanged) {
  Outcomes first = a, second = b;
  first.predicted = second.predicted = ClassLists(a.classes.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool swapped = (exchanged >> (units.empty() ? i : units[i]) & 1) != 0;
    first.predicted.add(swapped ? b.predicted[i] : a.predicted[i]);
    second.predicted.add(swapped ? a.predicted[i] : b.predicted[i]);
    first.scores[i] = swapped ? b.scores[i] : a.scores[i];
    second.scores[i] = swapped ? a.scores[i] : b.scores[i];
  }
  return metric.value(first) - metric.value(second);
}

/// The same examples with other predictions.
Outcomes other_system(const Outcomes& a, std::uint64_t seed) {
  Outcomes out = a;
  out.predicted = ClassLists(a.classes.size());
  Random random(seed);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (double& score : out.scores[i]) score += static_cast<double>(random.below(9)) - 4;
    const auto best = std::ranges::max_element(out.scores[i]) - out.scores[i].begin();
    out.predicted.add(static_cast<std::uint32_t>(best));
  }
  return out;
}

TEST(Permutation, IsExactForFewUnits) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Outcomes a = random_classes({.examples = 30, .classes = 2, .groups = 8, .seed = seed});
    const Outcomes b = other_system(a, seed);
    for (const char* name : {"accuracy", "macro_f1", "map"}) {
      const Metric metric(name);
      const MetricComparison found = compare(metric, a, b, a.groups);
      EXPECT_EQ(found.test, "permutation");
      double reached = 0;
      for (std::uint32_t bits = 0; bits < 256; ++bits) {
        const double d = exchanged_difference(metric, a, b, a.groups, bits);
        reached += std::abs(d) >= std::abs(found.difference) - 1e-12;
      }
      // Groups that do not occur double both counts.
      EXPECT_NEAR(*found.p_value, reached / 256, 1e-12) << name << seed;
    }
  }
}

TEST(Permutation, EstimatesTheExactValue) {
  const Outcomes a = random_classes({.examples = 60, .classes = 2, .groups = 12, .seed = 4});
  const Outcomes b = other_system(a, 9);
  const Metric metric("macro_f1");
  const double exact = *compare(metric, a, b, a.groups, {.resamples = 5000}).p_value;
  const double estimated = *compare(metric, a, b, a.groups, {.resamples = 4000}).p_value;
  EXPECT_NE(exact, estimated);
  EXPECT_NEAR(exact, estimated, 4 * std::sqrt(0.25 / 4000));
}

TEST(Compare, UsesMcnemarForAccuracyOfSingleExamples) {
  const Outcomes a = random_classes({.examples = 90, .classes = 3, .seed = 4});
  const Outcomes b = other_system(a, 2);
  std::uint64_t only_a = 0, only_b = 0;
  for (std::size_t i = 0; i < 90; ++i) {
    only_a += a.correct(i) && !b.correct(i);
    only_b += !a.correct(i) && b.correct(i);
  }
  const MetricComparison found = compare(Metric("accuracy"), a, b, {});
  EXPECT_EQ(found.test, "mcnemar");
  EXPECT_EQ(*found.p_value, mcnemar(only_a, only_b).p_value);
  EXPECT_NEAR(found.difference, (static_cast<double>(only_a) - static_cast<double>(only_b)) / 90,
              1e-12);
  const MetricComparison reversed = compare(Metric("accuracy"), b, a, {});
  EXPECT_EQ(*reversed.p_value, *found.p_value);
  EXPECT_NEAR(reversed.interval->low, -found.interval->high, 1e-12);
  const MetricComparison self = compare(Metric("macro_f1"), a, a, {});
  EXPECT_EQ(self.p_value, 1);
  EXPECT_FALSE(self.interval);
}

TEST(Compare, NeedsTheSameExamples) {
  const Outcomes a = random_classes({.examples = 9, .classes = 3, .seed = 4});
  const Outcomes b = random_classes({.examples = 9, .classes = 3, .seed = 5});
  EXPECT_TRUE(fails_with("same examples", [&] { compare(Metric("accuracy"), a, b, {}); }));
  EXPECT_TRUE(
      fails_with("same examples", [&] { compare(Metric("r2"), a, random_numbers(9, 1), {}); }));
}

// --- Simulations: how often intervals contain the truth, how often tests raise a false alarm. ----

/// A classifier of two classes that is right with probability p; scores are a noisy truth.
Outcomes simulated(std::size_t groups, std::size_t group_size, double p, Random& random) {
  Outcomes out{{"no", "yes"}, ClassLists(2), ClassLists(2)};
  out.positive = 1;
  for (std::uint32_t i = 0; i < groups * group_size; ++i) {
    const auto truth = static_cast<std::uint32_t>(random.below(2));
    const bool right = random.uniform() < p;
    const std::uint32_t predicted = right ? truth : 1 - truth;
    out.truth.add(truth);
    out.predicted.add(predicted);
    const double score = (predicted == 1 ? 1 : -1) * random.uniform();
    out.scores.push_back({-score, score});
    if (group_size > 1) out.groups.push_back(i / static_cast<std::uint32_t>(group_size));
  }
  return out;
}

TEST(SlowSimulation, IntervalsContainTheTruth) {
  constexpr int rounds = 1000;
  const struct {
    const char* metric;
    std::size_t groups, size;
  } cases[] = {{"accuracy", 200, 1},          {"macro_f1", 200, 1}, {"roc_auc", 200, 1},
               {"average_precision", 200, 1}, {"map", 100, 5},      {"mrr", 100, 5}};
  for (const auto& [name, groups, size] : cases) {
    const Metric metric(name);
    Random random(17);
    // The value in a population that is much larger than the samples.
    const double truth = metric.value(simulated(size == 1 ? 400000 : 80000, size, 0.8, random));
    double covered = 0;
    for (int round = 0; round < rounds; ++round) {
      const Outcomes sample = simulated(groups, size, 0.8, random);
      const auto interval = estimate(metric, sample, sample.groups,
                                     {.resamples = 500, .seed = static_cast<std::uint64_t>(round)})
                                .interval;
      covered += interval->low <= truth && truth <= interval->high;
    }
    RecordProperty(name, std::to_string(covered / rounds));
    EXPECT_GE(covered / rounds, 0.92) << name;
    EXPECT_LE(covered / rounds, 0.98) << name;
  }
}

/// Another classifier for the same examples.
Outcomes second_system(const Outcomes& first, double p, Random& random) {
  Outcomes out = first;
  out.predicted = ClassLists(2);
  out.scores.clear();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::uint32_t predicted =
        random.uniform() < p ? first.truth[i][0] : 1 - first.truth[i][0];
    out.predicted.add(predicted);
    const double score = (predicted == 1 ? 1 : -1) * random.uniform();
    out.scores.push_back({-score, score});
  }
  return out;
}

TEST(SlowSimulation, TestsOnOneSplitKeepTheirLevel) {
  constexpr int rounds = 1000;
  const struct {
    const char* metric;
    std::size_t groups, size;
  } cases[] = {{"accuracy", 1000, 1}, {"macro_f1", 200, 1}, {"roc_auc", 200, 1}, {"map", 60, 5}};
  for (const auto& [name, groups, size] : cases) {
    Random random(23);
    double alarms = 0;
    for (int round = 0; round < rounds; ++round) {
      const Outcomes a = simulated(groups, size, 0.8, random);
      const Outcomes b = second_system(a, 0.8, random);
      alarms += *compare(Metric(name), a, b, a.groups,
                         {.resamples = 400, .seed = static_cast<std::uint64_t>(round)})
                     .p_value <= 0.05;
    }
    RecordProperty(name, std::to_string(alarms / rounds));
    EXPECT_GE(alarms / rounds, 0.03) << name;
    EXPECT_LE(alarms / rounds, 0.07) << name;
  }
}

TEST(SlowSimulation, TestsOverSplitsKeepTheirLevel) {
  // Two equal classifiers; the splits of a data set share examples, as in cross-validation.
  constexpr int rounds = 4000, splits = 15;
  constexpr std::size_t examples = 300, tested = 60;
  Random random(29);
  double corrected = 0, plain = 0, independent = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> gain;  // per example: right by a minus right by b
    for (std::size_t i = 0; i < examples; ++i) {
      gain.push_back((random.uniform() < 0.8 ? 1.0 : 0.0) - (random.uniform() < 0.8 ? 1.0 : 0.0));
    }
    std::vector<double> differences, fresh;
    for (int s = 0; s < splits; ++s) {
      random.shuffle(std::span(gain));
      differences.push_back(std::accumulate(gain.begin(), gain.begin() + tested, 0.0) / tested);
      double sum = 0;  // of other examples in each split
      for (std::size_t i = 0; i < tested; ++i) {
        sum += (random.uniform() < 0.8 ? 1.0 : 0.0) - (random.uniform() < 0.8 ? 1.0 : 0.0);
      }
      fresh.push_back(sum / tested);
    }
    const double ratio = static_cast<double>(tested) / static_cast<double>(examples - tested);
    corrected += corrected_t_test(differences, ratio)->p_value <= 0.05;
    plain += corrected_t_test(differences, 0)->p_value <= 0.05;
    independent += wilcoxon(fresh).p_value <= 0.05;
  }
  RecordProperty("corrected_t", std::to_string(corrected / rounds));
  RecordProperty("plain_t", std::to_string(plain / rounds));
  RecordProperty("wilcoxon", std::to_string(independent / rounds));
  EXPECT_GE(corrected / rounds, 0.03);
  EXPECT_LE(corrected / rounds, 0.07);
  EXPECT_GT(plain / rounds, 0.2);  // what the correction is for
  EXPECT_GE(independent / rounds, 0.03);
  EXPECT_LE(independent / rounds, 0.07);
}

}  // namespace
}  // namespace espalier
