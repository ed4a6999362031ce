#include "espalier/evaluate/metrics.hpp"

#include <gtest/gtest.h>

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

/// The probability that a positive example is above a negative one, by counting pairs.
double auc_by_pairs(const Outcomes& all, std::uint32_t c) {
  double right = 0, pairs = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (!all.truth.has(i, c) || all.truth.has(j, c)) continue;
      ++pairs;
      right += all.scores[i][c] > all.scores[j][c]    ? 1
               : all.scores[i][c] == all.scores[j][c] ? 0.5
                                                      : 0;
    }
  }
  return right / pairs;
}

/// The sum over positives of the precision among those that score at least as high.
double average_precision_by_thresholds(const Outcomes& all, std::uint32_t c) {
  double sum = 0, positives = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all.truth.has(i, c)) continue;
    ++positives;
    double above = 0, found = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (all.scores[j][c] < all.scores[i][c]) continue;
      ++above;
      found += all.truth.has(j, c);
    }
    sum += found / above;
  }
  return sum / positives;
}

TEST(Metrics, MatchCountsOfPairs) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Outcomes all = random_classes({.examples = 30, .classes = 3, .seed = seed});
    all.positive = none;  // without a class, all of them
    double auc = 0, precision = 0, classes = 0;
    for (std::uint32_t c = 0; c < 3; ++c) {
      const std::string name = ":" + all.classes[c];
      if (all.truth.class_sizes()[c] == 0) continue;
      EXPECT_NEAR(Metric("roc_auc" + name).value(all), auc_by_pairs(all, c), 1e-12);
      EXPECT_NEAR(Metric("average_precision" + name).value(all),
                  average_precision_by_thresholds(all, c), 1e-12);
      auc += auc_by_pairs(all, c);
      precision += average_precision_by_thresholds(all, c);
      ++classes;
    }
    EXPECT_NEAR(Metric("roc_auc").value(all), auc / classes, 1e-12);
    EXPECT_NEAR(Metric("average_precision").value(all), precision / classes, 1e-12);
  }
}

TEST(Metrics, AgreeWithTheEvaluation) {
  const Outcomes all = random_classes({.examples = 50, .classes = 4, .groups = 8, .seed = 5});
  const Evaluation scores = evaluate(all);
  EXPECT_DOUBLE_EQ(Metric("accuracy").value(all), scores.classification->accuracy);
  EXPECT_DOUBLE_EQ(Metric("macro_precision").value(all), scores.classification->macro.precision);
  EXPECT_DOUBLE_EQ(Metric("macro_recall").value(all), scores.classification->macro.recall);
  EXPECT_DOUBLE_EQ(Metric("macro_f1").value(all), scores.classification->macro.f1);
  EXPECT_DOUBLE_EQ(Metric("micro_f1").value(all), scores.classification->micro.f1);
  EXPECT_DOUBLE_EQ(Metric("f1:c2").value(all), scores.classification->classes[2].f1);
  EXPECT_DOUBLE_EQ(Metric("map").value(all), scores.ranking->mean_average_precision);
  EXPECT_DOUBLE_EQ(Metric("mrr").value(all), scores.ranking->mean_reciprocal_rank);
  EXPECT_DOUBLE_EQ(Metric("precision_at:1").value(all), scores.ranking->precision_at_1);
  const Outcomes numbers = random_numbers(50, 3);
  const RegressionScores regression = *evaluate(numbers).regression;
  EXPECT_DOUBLE_EQ(Metric("mse").value(numbers), regression.mean_squared_error);
  EXPECT_DOUBLE_EQ(Metric("mae").value(numbers), regression.mean_absolute_error);
  EXPECT_DOUBLE_EQ(Metric("r2").value(numbers), *regression.r2);
  EXPECT_DOUBLE_EQ(Metric("pearson").value(numbers), *regression.pearson);
  EXPECT_DOUBLE_EQ(Metric("spearman").value(numbers), *regression.spearman);
}

TEST(Metrics, PrecisionAtKAveragesOverTies) {
  Outcomes all = random_classes({.examples = 4, .classes = 2, .groups = 1, .seed = 1});
  all.truth = ClassLists(2);
  for (const std::uint32_t c : {1U, 0U, 1U, 0U}) all.truth.add(c);
  all.scores = {{0, 3}, {0, 2}, {0, 2}, {0, 1}};
  EXPECT_DOUBLE_EQ(Metric("precision_at:1").value(all), 1);
  EXPECT_DOUBLE_EQ(Metric("precision_at:2").value(all), 1.5 / 2);
  EXPECT_DOUBLE_EQ(Metric("precision_at:4").value(all), 2.0 / 4);
  EXPECT_DOUBLE_EQ(Metric("precision_at:8").value(all), 2.0 / 8);  // as trec_eval does
}

/// The outcomes with each example as often as its weight says.
Outcomes repeated(const Outcomes& all, const std::vector<double>& weights) {
  Outcomes out{all.classes, ClassLists(all.classes.size()), ClassLists(all.classes.size())};
  out.positive = all.positive;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (double k = 0; k < weights[i]; ++k) {
      if (all.regression()) {
        out.true_numbers.push_back(all.true_numbers[i]);
        out.numbers.push_back(all.numbers[i]);
      } else {
        out.truth.add(all.truth[i]);
        out.predicted.add(all.predicted[i]);
        out.scores.push_back(all.scores[i]);
      }
    }
  }
  return out;
}

TEST(Metrics, WeightsCountRepetitions) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Outcomes classes = random_classes({.examples = 25, .classes = 3, .seed = seed});
    const Outcomes numbers = random_numbers(25, seed);
    Random random(seed);
    std::vector<double> weights(25);
    for (double& weight : weights) weight = static_cast<double>(random.below(4));
    for (const MetricDescription& row : metric_descriptions()) {
      if (row.task == "ranking") continue;
      const Metric metric(row.name == "f1" ? "f1:c1" : std::string(row.name));
      const Outcomes& all = row.task == "regression" ? numbers : classes;
      const auto expected = metric(repeated(all, weights));
      const auto found = metric.prepare(all)(weights);
      ASSERT_EQ(found.has_value(), expected.has_value()) << row.name;
      if (!expected) continue;
      EXPECT_NEAR(*found, *expected, 1e-12) << row.name;
    }
  }
}

TEST(Metrics, RankedGroupsCountAsOftenAsTheyAreDrawn) {
  const Outcomes all = random_classes({.examples = 40, .classes = 2, .groups = 6, .seed = 2});
  // Each group alone, then the mean with weights 0, 1, 2, ..
  double sum = 0, count = 0;
  std::vector<double> weights(all.size());
  for (std::uint32_t g = 0; g < 6; ++g) {
    std::vector<double> alone(all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all.groups[i] != g) continue;
      alone[i] = 1;
      weights[i] = g;
    }
    if (const auto one = Metric("map").prepare(all)(alone)) {
      sum += g * *one;
      count += g;
    }
  }
  EXPECT_NEAR(*Metric("map").prepare(all)(weights), sum / count, 1e-12);
}

TEST(Metrics, TestSetsThatAreAppendedHaveTheirOwnGroups) {
  const Outcomes one = random_classes({.examples = 30, .classes = 2, .groups = 5, .seed = 2});
  Outcomes twice = one;
  twice.append(one);
  EXPECT_EQ(twice.size(), 60U);
  EXPECT_DOUBLE_EQ(Metric("map").value(twice), Metric("map").value(one));
  EXPECT_EQ(evaluate(twice).ranking->groups, 2 * evaluate(one).ranking->groups);
}

TEST(Metrics, UndefinedValuesAreAbsent) {
  Outcomes all = random_classes({.examples = 3, .classes = 2, .seed = 1});
  all.truth = ClassLists(2);
  for (int i = 0; i < 3; ++i) all.truth.add(0);
  EXPECT_FALSE(Metric("roc_auc:c1")(all));
  EXPECT_FALSE(Metric("roc_auc")(all));
  EXPECT_FALSE(Metric("average_precision:c1")(all));
  EXPECT_TRUE(fails_with("roc_auc:c1 is not defined for these 3 examples",
                         [&] { Metric("roc_auc:c1").value(all); }));
  Outcomes numbers = random_numbers(3, 1);
  numbers.true_numbers = {1, 1, 1};
  EXPECT_FALSE(Metric("r2")(numbers));
  EXPECT_FALSE(Metric("pearson")(numbers));
  EXPECT_TRUE(fails_with("numbers are equal", [&] { Metric("spearman").value(numbers); }));
}

TEST(Metrics, RejectWhatDoesNotApply) {
  EXPECT_TRUE(fails_with("no metric 'acuracy': did you mean accuracy? there are accuracy,",
                         [] { Metric("acuracy"); }));
  EXPECT_TRUE(fails_with("precision_at:K", [] { Metric("xyz"); }));
  EXPECT_TRUE(fails_with("takes no argument: leave out 'HUM'", [] { Metric("accuracy:HUM"); }));
  for (const char* bad : {"precision_at", "precision_at:0", "precision_at:x", "precision_at:1.5"}) {
    EXPECT_TRUE(fails_with("needs a rank", [&] { Metric{bad}; }));
  }
  const Outcomes all = random_classes({.examples = 9, .classes = 2, .seed = 1});
  EXPECT_TRUE(fails_with("no class 'c9': did you mean", [&] { Metric("f1:c9").value(all); }));
  EXPECT_TRUE(fails_with("r2 is for regression", [&] { Metric("r2").value(all); }));
  EXPECT_TRUE(fails_with("name the groups", [&] { Metric("map").value(all); }));
  EXPECT_TRUE(fails_with("accuracy is for classification",
                         [&] { Metric("accuracy").value(random_numbers(5, 1)); }));
  Outcomes nan = all;
  nan.scores[4][1] = std::nan("");
  EXPECT_TRUE(fails_with("a score of example 5", [&] { Metric("roc_auc").value(nan); }));
}

TEST(Metrics, UsualOnesFitTheTask) {
  const Outcomes all = random_classes({.examples = 9, .classes = 3, .seed = 1});
  EXPECT_EQ(default_metric(all).name(), "accuracy");
  EXPECT_EQ(default_metric(random_numbers(5, 1)).name(), "r2");
  Outcomes several = all;
  several.truth.add(std::vector<std::uint32_t>{0, 1});
  EXPECT_EQ(default_metric(several).name(), "micro_f1");
  EXPECT_EQ(metrics_named(std::vector<std::string>{"f1:c1"}, all)[0].name(), "f1:c1");
  EXPECT_EQ(metrics_named({}, all).size(), 4U);
}

}  // namespace
}  // namespace espalier
