#include "espalier/model/tune.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/toy_data.hpp"
#include "support/failure.hpp"
#include "support/grams.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::toy_classes;
using test::toy_numbers;

const Kernel& combined_kernel() {
  static const Kernel kernel("norm(sst(t)) + norm(linear(v))");
  return kernel;
}

std::vector<FittedKernel> several_kernels() {
  return {Kernel("norm(sst(u))"), Kernel("norm(sst(t, lambda=0.2))"),
          Kernel("norm(sst(t, lambda=0.8))"), Kernel("norm(linear(v))")};
}

TrainOptions network() {
  TrainOptions out{.learner = Learner::kda};
  out.nystroem.landmarks = 20;
  out.network.hidden = {8};
  out.network.learning_rate = 0.01;
  out.network.batch_size = 16;
  out.network.epochs = 12;
  return out;
}

double mean_of_cross_validation(const TunePoint& point, const Dataset& data,
                                const TrainOptions& options, const TuneOptions& tuning) {
  const Metric metric = tuning_metric(tuning, make_targets(data));
  return cross_validate(Kernel(point.kernel), data, with_setting(options, point), tuning.validation)
      .spread_of(metric)
      .mean;
}

TEST(Tuning, MatchesCrossValidationAtEachPoint) {
  const Dataset data = toy_classes({.count = 50, .seed = 12}, 6);
  TuneOptions tuning{.search = {{"C", {10.0, 0.001, 1.0}}}};
  tuning.metric = "macro_f1";
  tuning.validation = {.folds = 3, .seed = 5};
  std::vector<std::string> told;
  std::vector<double> progress;
  Context context;
  context.progress = [&](double part) { progress.push_back(part); };
  const auto points = tune(several_kernels(), data, {}, tuning, context,
                           [&](const TunePoint& point) { told.push_back(point.kernel); });
  ASSERT_EQ(points.size(), 12U);
  ASSERT_EQ(told.size(), 12U);
  EXPECT_EQ(progress.size(), 36U);
  EXPECT_DOUBLE_EQ(progress.back(), 1);
  const TunePoint& best = best_point(points, Metric("macro_f1"));
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t c = 0; c < 3; ++c) {
      const TunePoint& point = points[3 * k + c];
      EXPECT_EQ(point.kernel, several_kernels()[k].to_string());
      EXPECT_EQ(point.parameters[0].value, tuning.search[0].values[c]);
      EXPECT_DOUBLE_EQ(point.score.mean, mean_of_cross_validation(point, data, {}, tuning));
      EXPECT_EQ(point.score.count, 3U);
      EXPECT_LE(point.score.mean, best.score.mean);
    }
  }
  EXPECT_GT(best.score.mean, points[0].score.mean + 0.2) << "trees u know nothing of the classes";
}

TEST(Tuning, SearchesAnyParameter) {
  const Dataset data = toy_classes({.count = 50, .seed = 3}, 6);
  TrainOptions linear{.learner = Learner::linear};
  linear.nystroem.landmarks = 10;
  const struct {
    TrainOptions options;
    std::vector<SearchedParameter> search;
    std::size_t settings;
  } cases[] = {
      {{}, {{"class_weight", {"none", "balanced", NamedNumbers{{"k1", 5.0}}}}}, 3},
      {{},
       {{"multi_class", {"one-vs-rest", "one-vs-one"}}, {"solver", {"matrix", "working-set"}}},
       4},
      {linear,
       {{"landmarks", {5.0, 10.0}}, {"policy", {"uniform", "classwise"}}, {"C", {1.0, 9.0}}},
       8},
      {{.learner = Learner::linear},
       {{"hash_dim", {64.0, 256.0}}, {"loss", {"hinge", "squared_hinge"}}},
       4},
      {network(), {{"dropout", {0.0, 0.5}}, {"landmarks", {5.0, 20.0}}}, 4},
      {network(),
       {{"hidden", {std::vector<double>{}, std::vector<double>{6, 4}}}, {"epochs", {2.0, 9.0}}},
       4},
      {{.learner = Learner::passive_aggressive}, {{"aggressiveness", {0.1, 1.0}}}, 2},
  };
  const FittedKernel kernels[] = {Kernel("norm(sst(t))")};
  for (const auto& [options, search, settings] : cases) {
    TuneOptions tuning{.search = search};
    tuning.validation.folds = 3;
    const auto points = tune(kernels, data, options, tuning);
    ASSERT_EQ(points.size(), settings) << search[0].name;
    for (const TunePoint& point : points) {
      EXPECT_NEAR(point.score.mean, mean_of_cross_validation(point, data, options, tuning), 1e-12)
          << to_string(point.parameters);
    }
  }
}

TEST(Tuning, VariesTheLastParameterFastest) {
  const Dataset data = toy_classes({.count = 30, .seed = 3});
  TuneOptions tuning{.search = {{"C", {1.0, 2.0}}, {"tolerance", {0.1, 0.01, 0.001}}},
                     .kernels = swept_kernels("norm(sst(t, lambda={0.3,0.6}))")};
  tuning.validation.folds = 2;
  const auto points = tune(sweep("norm(sst(t, lambda={0.3,0.6}))"), data, {}, tuning);
  std::vector<std::string> texts;
  for (const TunePoint& point : points) texts.push_back(to_string(point.values()));
  EXPECT_EQ(texts.size(), 12U);
  EXPECT_EQ(texts[0], "lambda = 0.3, C = 1, tolerance = 0.1");
  EXPECT_EQ(texts[1], "lambda = 0.3, C = 1, tolerance = 0.01");
  EXPECT_EQ(texts[3], "lambda = 0.3, C = 2, tolerance = 0.1");
  EXPECT_EQ(texts[11], "lambda = 0.6, C = 2, tolerance = 0.001");
  EXPECT_EQ(points[11].expression, "norm(sst(t, lambda={0.3,0.6}))");
}

TEST(Tuning, NamesAllListsOfAnExpression) {
  const auto kernels =
      swept_kernels("{1,2}*norm(sst(t, lambda={0.3,0.6})) + norm(pt(t, lambda={0.1}, mu=0.2))");
  ASSERT_EQ(kernels.size(), 4U);
  EXPECT_EQ(to_string(kernels[1].values), "factor = 1, lambda = 0.6, lambda (2) = 0.1");
  EXPECT_TRUE(swept_kernels("sst()")[0].values.empty());
}

TEST(Tuning, IsBitIdenticalForAnyThreadsAndMemory) {
  const Dataset data = toy_classes({.count = 40, .seed = 13}, 6);
  const auto means = [&](const TrainOptions& options, const TuneOptions& tuning,
                         const Context& context) {
    std::vector<double> out;
    for (const TunePoint& point : tune(several_kernels(), data, options, tuning, context)) {
      out.push_back(point.score.mean);
    }
    return out;
  };
  const TuneOptions costs{.search = {{"C", {0.1, 1.0}}}};
  const auto expected = means({}, costs, test::working(1));
  EXPECT_EQ(means({}, costs, test::working(3)), expected);
  EXPECT_EQ(means({}, costs, test::working(2, 4 * 40 * 40 + 1)), expected);        // one matrix
  EXPECT_EQ(means({}, costs, test::working(2, 2 * (4 * 40 * 40 + 1))), expected);  // two
  // Vectors of all settings, or of one at a time.
  const TuneOptions landmarks{.search = {{"epochs", {2.0, 5.0}}, {"landmarks", {5.0, 9.0}}}};
  EXPECT_EQ(means(network(), landmarks, test::working(1)),
            means(network(), landmarks, test::working(2, 6000)));
}

TEST(Tuning, DrawsDistinctSettingsAtRandom) {
  const Dataset data = toy_classes({.count = 30, .seed = 4});
  TuneOptions tuning{.search = {{"C", {1.0, 2.0, 3.0, 4.0}}, {"tolerance", {0.1, 0.01}}},
                     .trials = 5};
  tuning.validation.folds = 2;
  const auto texts = [&] {
    std::vector<std::string> out;
    for (const TunePoint& point : tune(several_kernels(), data, {}, tuning)) {
      out.push_back(point.kernel + to_string(point.parameters));
    }
    return out;
  };
  const auto first = texts();
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 5U);
  EXPECT_EQ(texts(), first);
  tuning.validation.seed = 2;
  EXPECT_NE(texts(), first);
  tuning.trials = 1000;
  EXPECT_EQ(texts().size(), 32U);
}

TEST(Tuning, HalvingGivesTheBestAllSplits) {
  const Dataset data = toy_classes({.count = 60, .seed = 5}, 8);
  TuneOptions tuning{.search = {{"C", {1e-4, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0}}}};
  const FittedKernel kernels[] = {combined_kernel()};
  const auto grid = tune(kernels, data, {}, tuning);
  tuning.halving = true;
  std::size_t told = 0;
  double progress = 0;
  Context context;
  context.progress = [&](double part) { progress = part; };
  const auto points = tune(kernels, data, {}, tuning, context, [&](const TunePoint&) { ++told; });
  EXPECT_EQ(told, 7U);
  EXPECT_DOUBLE_EQ(progress, 1);
  std::multiset<std::size_t> counts;
  for (std::size_t s = 0; s < points.size(); ++s) {
    counts.insert(points[s].score.count);
    if (points[s].score.count < 5) continue;
    EXPECT_EQ(points[s].score.mean, grid[s].score.mean);
  }
  EXPECT_EQ(counts, (std::multiset<std::size_t>{1, 1, 1, 2, 2, 4, 5}));
  EXPECT_EQ(best_point(points, Metric("accuracy")).score.count, 5U);
  tuning.validation.split = SplitKind::leave_one_out;
  EXPECT_TRUE(fails_with("halving needs", [&] { tune(kernels, data, {}, tuning); }));
}

TEST(Tuning, RegressionSupportsLeaveOneOut) {
  const Dataset data = toy_numbers({.count = 25, .seed = 14});
  TuneOptions tuning{.search = {{"C", {1e-6, 10.0}}}};
  tuning.validation.split = SplitKind::leave_one_out;
  const std::vector<FittedKernel> one = {combined_kernel()};
  const auto points = tune(one, data, {}, tuning);
  EXPECT_LT(points[0].score.mean, 0.1);
  EXPECT_GT(points[1].score.mean, 0.6);
}

TEST(Tuning, MistakesAreClear) {
  const Dataset data = toy_classes({.count = 20});
  const FittedKernel kernels[] = {combined_kernel()};
  const struct {
    std::vector<SearchedParameter> search;
    const char* message;
  } cases[] = {
      {{{"tolerence", {0.1}}}, "there is no parameter 'tolerence'; did you mean 'tolerance'?"},
      {{{"seed", {1.0, 2.0}}}, "seed is not searched"},
      {{{"learner", {"svm", "linear"}}}, "learner is not searched"},
      {{{"groups", {"a", "b"}}}, "groups is not searched"},
      {{{"dropout", {0.1, 0.2}}}, "dropout is for kda, not for svm"},
      {{{"C", {1.0}}, {"C", {2.0}}}, "C is searched twice"},
      {{{"C", {}}}, "C has no values"},
      {{{"C", {1.0, -1.0}}}, "C = -1 is outside (0, inf)"},
      {{{"calibration_folds", {3.0, 5.0}}}, "calibration_folds needs probabilities"},
      {{{"C", std::vector<Value>(2000, 1.0)}, {"tolerance", std::vector<Value>(2000, 0.1)}},
       "the grid has more than 1000000 settings"},
  };
  for (const auto& [search, message] : cases) {
    EXPECT_TRUE(fails_with(message, [&] { tune(kernels, data, {}, {.search = search}); }));
  }
}

TunePoint point_of(const char* kernel, double cost, double mean, std::uint64_t count = 5) {
  TunePoint out;
  out.kernel = out.expression = kernel;
  out.parameters = {{"C", cost, ""}};
  out.score.mean = mean;
  out.score.count = count;
  out.score.standard_deviation = 0.1 * std::sqrt(5.0);
  return out;
}

TEST(Tuning, ChoosesTheFirstOfTheBest) {
  const std::vector<TunePoint> points = {point_of("a", 10, 0.5), point_of("a", 1, 0.9),
                                         point_of("b", 0.1, 0.9), point_of("c", 5, 0.8)};
  EXPECT_EQ(&best_point(points, Metric("accuracy")), &points[1]);
  EXPECT_TRUE(fails_with("there are no settings", [] { best_point({}, Metric("accuracy")); }));
}

TEST(Tuning, ErrorsAreBestWhenLow) {
  // A setting that is not defined on all splits does not win by those that are left.
  const std::vector<TunePoint> points = {point_of("a", 1, 0.5), point_of("a", 2, 0.2),
                                         point_of("a", 3, 0.1, 4)};
  EXPECT_EQ(&best_point(points, Metric("mse")), &points[1]);
  EXPECT_EQ(&best_point(points, Metric("r2")), &points[0]);
}

TEST(Tuning, OneStandardErrorPrefersTheFirst) {
  // The standard error is 0.1.
  const std::vector<TunePoint> points = {point_of("a", 1, 0.65), point_of("a", 2, 0.71),
                                         point_of("a", 3, 0.8), point_of("a", 4, 0.79, 4)};
  EXPECT_EQ(&best_point(points, Metric("accuracy"), true), &points[1]);
  const std::vector<TunePoint> errors = {point_of("a", 1, 0.35), point_of("a", 2, 0.29),
                                         point_of("a", 3, 0.2)};
  EXPECT_EQ(&best_point(errors, Metric("mse"), true), &errors[1]);
}

TEST(Tuning, FindsEdgesBeyondWhichThereAreValues) {
  const auto point = [](double lambda, double cost, double dropout) {
    TunePoint out;
    out.kernel = "k";
    out.expression = "e";
    out.kernel_values = {{"lambda (2)", lambda, "l"}};
    out.parameters = {{"C", cost, "c"}, {"dropout", dropout, "d"}, {"loss", "hinge", "hinge"}};
    return out;
  };
  const auto names = [](const std::vector<TunePoint>& points, std::size_t best) {
    std::string out;
    for (const GridEdge& edge : grid_edges(points, points[best])) {
      out += edge.name + (edge.largest ? "+ " : "- ");
    }
    return out;
  };
  const std::vector<TunePoint> points = {point(0.5, 1, 0), point(0.6, 2, 0.1), point(1, 3, 0.2),
                                         point(0.6, 3, 0)};
  EXPECT_EQ(names(points, 0), "lambda (2)- C- ");  // dropout 0 is the least there is
  EXPECT_EQ(names(points, 1), "");
  EXPECT_EQ(names(points, 2), "C+ dropout+ ");      // lambda 1 is the largest there is
  EXPECT_EQ(names({points[0], points[0]}, 0), "");  // nothing was tried
}

TEST(Tuning, ValidationSetIsPredictedByAllSettings) {
  const Dataset data = toy_classes({.count = 60, .seed = 6}, 6);
  const Dataset held_out = toy_classes({.count = 40, .seed = 7}, 6);
  const TuneOptions tuning{.search = {{"C", {0.01, 10.0}}}};
  const FittedKernel kernels[] = {combined_kernel(), Kernel("norm(sst(u))")};
  for (const TunePoint& point : tune(kernels, data, {}, tuning, {}, {}, &held_out)) {
    const Model model = train(Kernel(point.kernel), data, with_setting({}, point));
    EXPECT_NEAR(point.score.mean, test::accuracy(model, held_out), 1e-12);
    EXPECT_EQ(point.score.count, 1U);
  }
}

TEST(Tuning, NetworksStopEarlyByTheValidationSet) {
  const Dataset data = toy_classes({.count = 60, .seed = 6}, 4);
  const Dataset held_out = toy_classes({.count = 40, .seed = 7}, 4);
  TrainOptions options = network();
  options.network.epochs = 60;
  options.network.patience = 5;
  const FittedKernel kernels[] = {Kernel("norm(sst(t))")};
  const TuneOptions tuning{.search = {{"dropout", {0.0, 0.5}}}};
  for (const TunePoint& point : tune(kernels, data, options, tuning, {}, {}, &held_out)) {
    const TrainOptions with = with_setting(options, point);
    const Model model = train(kernels[0], data, with, {}, {}, &held_out);
    EXPECT_NEAR(point.score.mean, test::accuracy(model, held_out), 1e-12);
    EXPECT_EQ(model.training.examples, data.size());
    // The best epoch of the curve is what was kept.
    double best = 0;
    for (const NetworkEpoch& epoch : model.landmarks()->curve) {
      best = std::max(best, epoch.validation_score);
    }
    EXPECT_NEAR(best, point.score.mean, 1e-12);
  }
  EXPECT_TRUE(fails_with("for early stopping, which is for kda",
                         [&] { train(kernels[0], data, {}, {}, {}, &held_out); }));
  const Dataset more = toy_classes({.count = 40, .kinds = 4});
  EXPECT_TRUE(fails_with("has a class that the training set lacks",
                         [&] { train(kernels[0], data, options, {}, {}, &more); }));
}

TEST(Tuning, ValidationMetricSelectsTheEpoch) {
  const Dataset data = toy_classes({.count = 60, .seed = 6}, 4);
  const Dataset held_out = toy_classes({.count = 40, .seed = 7}, 4);
  TrainOptions options = network();
  options.network.patience = 0;
  for (const char* metric : {"f1:k1", "macro_f1", "roc_auc:k2"}) {
    options.validation_metric = metric;
    const Model model = train(Kernel("norm(sst(t))"), data, options, {}, {}, &held_out);
    double best = 0;
    for (const NetworkEpoch& epoch : model.landmarks()->curve) {
      best = std::max(best, epoch.validation_score);
    }
    const Outcomes outcomes = outcomes_of(model, predict(model, held_out), held_out);
    EXPECT_NEAR(Metric(metric).value(outcomes), best, 1e-9) << metric;
  }
  const Dataset numbers = toy_numbers({.count = 60, .seed = 6});
  const Dataset more = toy_numbers({.count = 40, .seed = 7});
  options.validation_metric = "mae";
  const Model model = train(Kernel("norm(sst(t))"), numbers, options, {}, {}, &more);
  double best = -1e300;
  for (const NetworkEpoch& epoch : model.landmarks()->curve) {
    best = std::max(best, epoch.validation_score);
  }
  EXPECT_NEAR(-Metric("mae").value(outcomes_of(model, predict(model, more), more)), best, 1e-4);
  options.validation_metric = "nonsense";
  EXPECT_TRUE(fails_with("nonsense", [&] { train(Kernel("sst(t)"), data, options); }));
}

TEST(Tuning, NestedCrossValidationTunesWithinEachTrainingPart) {
  const Dataset data = toy_classes({.count = 60, .seed = 9}, 5);
  TuneOptions tuning{.search = {{"C", {0.01, 1.0, 100.0}}}};
  tuning.validation = {.folds = 3, .seed = 2};
  const ValidationOptions outer{.folds = 4, .seed = 8};
  const auto kernels = several_kernels();
  const NestedResult nested = nested_cross_validate(kernels, data, {}, tuning, outer);
  const auto splits =
      make_splits(make_targets(data), data.size(), outer, example_groups(data, {}).group_of);
  ASSERT_EQ(nested.chosen.size(), 4U);
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Dataset part = data.select(splits[s].train);
    const auto points = tune(kernels, part, {}, tuning);
    const TunePoint& best = best_point(points, Metric("accuracy"));
    EXPECT_EQ(nested.chosen[s].kernel, best.kernel);
    EXPECT_EQ(nested.chosen[s].parameters, best.parameters);
    EXPECT_NEAR(nested.chosen[s].score.mean, best.score.mean, 1e-12);
    const Model model = train(Kernel(best.kernel), part, with_setting({}, best));
    EXPECT_NEAR(Metric("accuracy").value(nested.result.splits[s]),
                test::accuracy(model, data.select(splits[s].test)), 1e-12);
  }
}

}  // namespace
}  // namespace espalier
