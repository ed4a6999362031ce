// Linear models whose features are fragments.
#include <gtest/gtest.h>

#include <cmath>

#include "espalier/explain/explanation.hpp"
#include "espalier/explain/model_fragments.hpp"
#include "espalier/model/tune.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

const Kernel subset_trees("norm(sst(t))");

TrainOptions with_fragments(std::size_t fragments) {
  TrainOptions out;
  out.learner = Learner::linear;
  out.fragments = fragments;
  return out;
}

TrainOptions with_hashing(std::size_t dim, std::size_t size) {
  TrainOptions out;
  out.learner = Learner::linear;
  out.hashed = {.max_size = size, .hash_dim = dim};
  return out;
}

TEST(FragmentModels, Classify) {
  const Dataset train_data = test::toy_classes({.count = 120});
  const Dataset test_data = test::toy_classes({.count = 60, .seed = 2}, 1000);
  const Model mined = train(subset_trees, train_data, with_fragments(20));
  EXPECT_EQ(mined.training.learner, "linear on fragments");
  EXPECT_LE(mined.fragments()->features.columns(), 60U);
  EXPECT_EQ(mined.functions.outputs(), 0U);
  EXPECT_GT(test::accuracy(mined, test_data), 0.9);
  const Model hashed = train(subset_trees, train_data, with_hashing(1 << 12, 2));
  EXPECT_EQ(hashed.training.learner, "linear on hashed fragments");
  EXPECT_GT(test::accuracy(hashed, test_data), 0.9);
}

/// The kernel with all fragments as features is that of the linear SVM on explicit features.
TEST(FragmentModels, OnAllSubtreesAreTheModelOnExplicitFeatures) {
  const Kernel kernel("norm(st(t, leaves=true))");
  const Dataset data = test::toy_classes({.count = 60});
  TrainOptions options = with_fragments(1'000'000);
  options.classifier.solver.tolerance = 1e-8;
  const Model by_fragments = train(kernel, data, options);
  options.fragments = 0;
  const Model by_features = train(kernel, data, options);
  const Dataset others = test::toy_classes({.count = 30, .seed = 9});
  for (const Dataset& examples : {data, others}) {
    const Matrix<double> a = decision_values(by_fragments, examples);
    const Matrix<double> b = decision_values(by_features, examples);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      for (std::size_t m = 0; m < a.columns(); ++m) EXPECT_NEAR(a(i, m), b(i, m), 1e-4);
    }
  }
}

/// Nothing of the test part may have an influence on the fragments.
TEST(FragmentModels, AreMinedInsideEachSplit) {
  const Dataset data = test::toy_classes({.count = 80}, 4);
  ValidationOptions validation;
  validation.folds = 4;
  validation.grouping.group_duplicates = false;
  const TrainOptions options = with_fragments(5);
  const ValidationResult result = cross_validate(subset_trees, data, options, validation);
  const auto splits = make_splits(make_targets(data), data.size(), validation);
  ASSERT_EQ(result.splits.size(), splits.size());
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Model model = train(subset_trees, data.select(splits[s].train), options);
    EXPECT_NEAR(Metric("accuracy").value(result.splits[s]),
                test::accuracy(model, data.select(splits[s].test)), 1e-12);
  }
  const std::vector<FittedKernel> kernels = {subset_trees, Kernel("norm(pt(t))")};
  const auto points =
      tune(kernels, data, options, {.search = {{"C", {0.1, 1.0}}}, .validation = validation});
  ASSERT_EQ(points.size(), 4U);
  EXPECT_NEAR(points[1].score.mean, result.spread_of().mean, 1e-12);
}

TEST(FragmentModels, LearnNumbersSeveralLabelsAndProbabilities) {
  const Dataset numbers = test::toy_numbers({.count = 100});
  for (const TrainOptions& options : {with_fragments(30), with_hashing(1024, 2)}) {
    EXPECT_GT(cross_validate(subset_trees, numbers, options, {}).spread_of("pearson").mean, 0.8);
    const Dataset several = test::toy_several({.count = 100});
    EXPECT_GT(test::accuracy(train(subset_trees, several, options), several), 0.9);
    TrainOptions more = options;
    more.probabilities = true;
    more.classifier.multi_class = MultiClass::one_vs_one;
    const Dataset data = test::toy_classes({.count = 60});
    const Predictions predictions = predict(train(subset_trees, data, more), data);
    EXPECT_NEAR(predictions.probabilities(0, 0) + predictions.probabilities(0, 1) +
                    predictions.probabilities(0, 2),
                1, 1e-9);
  }
}

TEST(FragmentModels, AreTheSameAfterLoading) {
  const Dataset data = test::toy_classes({.count = 40, .pairs = true});
  for (const char* kernel : {"norm(sst(t)) + 0.5*pair(pt(t))", "norm(route(u))"}) {
    for (const TrainOptions& options : {with_fragments(10), with_hashing(256, 2)}) {
      const Model model = train(Kernel(kernel), data, options);
      const std::string bytes = model_bytes(model);
      const Model loaded = model_from_bytes(bytes);
      const Matrix<double> a = decision_values(model, data);
      const Matrix<double> b = decision_values(loaded, data, {.threads = 3});
      EXPECT_TRUE(std::equal(a.data(), a.data() + a.rows() * a.columns(), b.data()));
      EXPECT_EQ(model_bytes(loaded), bytes);
    }
  }
}

TEST(FragmentModels, ListTheirFragmentsByWeight) {
  const Dataset data = test::toy_classes({.count = 60});
  const Model model = train(subset_trees, data, with_fragments(10));
  const ModelFragments listed = model_fragments(model, {.top = 4}, "", &data);
  ASSERT_EQ(listed.lists.size(), 3U);
  for (const auto& [number, found] : listed.lists) {
    ASSERT_EQ(found.fragments.size(), 4U);
    EXPECT_TRUE(found.exact);
    for (std::size_t k = 0; k < 4; ++k) {
      const WeightedFragment& each = found.fragments[k];
      if (k > 0) {
        EXPECT_GE(std::abs(found.fragments[k - 1].weights[number]), std::abs(each.weights[number]));
      }
      EXPECT_GT(each.examples, 0U);
      EXPECT_GE(each.occurrences, each.examples);
      EXPECT_EQ(each.places.size(), std::min<std::size_t>(2, each.examples));
      EXPECT_GT(each.subtrees, 0U);
    }
  }
  // As counted for the same fragments of a kernel model.
  const Model svm = train(subset_trees, data);
  std::map<std::string, const WeightedFragment*> known;
  const ModelFragments all = model_fragments(svm, {.top = 100'000}, "", &data);
  for (const auto& list : all.lists) {
    for (const auto& each : list.found.fragments) known[to_string(each.fragment)] = &each;
  }
  for (const auto& list : listed.lists) {
    for (const auto& each : list.found.fragments) {
      const WeightedFragment& other = *known.at(to_string(each.fragment));
      EXPECT_EQ(each.examples, other.examples);
      EXPECT_EQ(each.occurrences, other.occurrences);
      for (std::size_t k = 0; k < each.places.size(); ++k) {
        EXPECT_EQ(each.places[k].example, other.places[k].example);
        EXPECT_EQ(each.places[k].node, other.places[k].node);
      }
    }
  }
  EXPECT_NE(fragments_page(listed, "model", &data).find("<svg"), std::string::npos);
  const Model hashed = train(subset_trees, data, with_hashing(64, 1));
  EXPECT_NE(test::failure_of([&] { model_fragments(hashed, {}); }).message.find("are hashed"),
            std::string::npos);
}

TEST(FragmentModels, ExplainTheirScores) {
  const Dataset data = test::toy_classes({.count = 60, .pairs = true});
  for (const char* kernel : {"norm(sst(t))", "pair(norm(pt(t))) + subpath(u)"}) {
    for (const TrainOptions& options : {with_fragments(10), with_hashing(512, 2)}) {
      const Model model = train(Kernel(kernel), data, options);
      const Predictions predictions = predict(model, data);
      for (std::size_t i = 0; i < 10; ++i) {
        const Explanation why = explain(model, data, i, {}, 100'000);
        EXPECT_EQ(why.decision.name, predictions.label(i));
        const double score = predictions.scores(i, predictions.classes[i][0]);
        EXPECT_NEAR(why.decision.score, score, 1e-9);
        double subtrees = why.decision.bias, fragments = why.decision.bias;
        for (const auto& each : why.decision.subtrees) subtrees += each.value;
        for (const auto& each : why.decision.fragments) fragments += each.value;
        EXPECT_NEAR(subtrees, score, 1e-9);
        if (options.fragments > 0) {
          EXPECT_NEAR(fragments, score, 1e-9);
        } else {
          EXPECT_TRUE(why.decision.fragments.empty());
        }
      }
    }
  }
}

TEST(FragmentModels, RefuseWhatTheyCannotDo) {
  const Dataset data = test::toy_classes({.count = 20});
  const auto message = [&](const char* kernel, const TrainOptions& options) {
    return test::failure_of([&] { train(Kernel(kernel), data, options); }).message;
  };
  EXPECT_NE(message(test::usual, with_fragments(5)).find("linear(v): vectors have no fragments"),
            std::string::npos);
  TrainOptions both = with_fragments(5);
  both.hashed.hash_dim = 64;
  EXPECT_EQ(message("sst(t)", both),
            "landmarks, fragments and hash_dim are different features: set one of them");
  TrainOptions svm = with_fragments(5);
  svm.learner = Learner::svm;
  EXPECT_EQ(message("sst(t)", svm), "fragments are features for the learner linear");
  TrainOptions one_class = with_fragments(5);
  one_class.task = Task::one_class;
  EXPECT_NE(message("sst(t)", one_class).find("one-class"), std::string::npos);
  EXPECT_NE(message("sst(t)", with_hashing(100, 2)).find("not a power of two"), std::string::npos);
  const Model model = train(Kernel("sst(t)"), data, with_fragments(5));
  EXPECT_NE(test::failure_of([&] { heaviest_features(model, {}); }).message.find("are fragments"),
            std::string::npos);
  Model copy = model;
  EXPECT_NE(
      test::failure_of([&] { continue_training(copy, data); }).message.find("cannot continue"),
      std::string::npos);
  const Context small{.memory = 10'000};
  EXPECT_NE(test::failure_of([&] {
              train(Kernel("sst(t)"), data, with_hashing(1 << 16, 2), small);
            }).message.find("allow more memory"),
            std::string::npos);
}

}  // namespace
}  // namespace espalier
