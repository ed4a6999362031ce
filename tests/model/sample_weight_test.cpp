// Weights of examples: a whole number does what as many copies of the example do.
#include <gtest/gtest.h>

#include <numeric>

#include "espalier/model/validation.hpp"
#include "model/toy_data.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

struct Weighted {
  Dataset data;
  std::vector<double> weights;
  Dataset copies;
};

Weighted weighted(Dataset data) {
  Weighted out{std::move(data), {}, {}};
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < out.data.size(); ++i) {
    out.weights.push_back(1 + i % 3);
    places.insert(places.end(), 1 + i % 3, i);
  }
  out.copies = out.data.select(places);
  return out;
}

TEST(SampleWeight, DoesWhatCopiesDo) {
  const Weighted classes = weighted(test::toy_classes({.count = 50, .seed = 3}, 4));
  const Weighted numbers = weighted(test::toy_numbers({.count = 50, .seed = 3}));
  const Dataset unseen = test::toy_classes({.count = 30, .seed = 4});
  TrainOptions svm, working_set, linear;
  svm.classifier.solver.tolerance = 1e-7;
  working_set = linear = svm;
  working_set.solver = SvmSolver::working_set;
  linear.learner = Learner::linear;
  linear.nystroem.landmarks = 1000;
  linear.nystroem.rank_tolerance = 1e-6;
  for (const TrainOptions& usual : {svm, working_set, linear}) {
    for (const Weighted* each : {&classes, &numbers}) {
      TrainOptions with = usual;
      with.sample_weight = each->weights;
      const Kernel kernel("norm(sst(t))");
      const auto weighed = predict(train(kernel, each->data, with), unseen).scores;
      const auto copied = predict(train(kernel, each->copies, usual), unseen).scores;
      const auto plain = predict(train(kernel, each->data, usual), unseen).scores;
      double difference = 0;
      for (std::size_t i = 0; i < unseen.size(); ++i) {
        EXPECT_NEAR(weighed(i, 0), copied(i, 0), 1e-3);
        difference = std::max(difference, std::abs(weighed(i, 0) - plain(i, 0)));
      }
      EXPECT_GT(difference, 0.01);
    }
  }
}

TEST(SampleWeight, MistakesAreClear) {
  const Dataset data = test::toy_classes({.count = 20});
  const Kernel kernel("norm(sst(t))");
  const auto fails = [&](TrainOptions options, const char* message) {
    return test::fails_with(message, [&] { train(kernel, data, options); });
  };
  EXPECT_TRUE(fails({.sample_weight = {1, 2}}, "sample_weight has 2 numbers for 20 examples"));
  std::vector<double> weights(20, 1);
  EXPECT_TRUE(fails({.learner = Learner::kda, .sample_weight = weights}, "by svm and linear"));
  EXPECT_TRUE(fails({.task = Task::one_class, .sample_weight = weights}, "by svm and linear"));
  weights[3] = 0;
  EXPECT_TRUE(
      fails({.sample_weight = weights}, "the weight of an example = 0 is outside (0, inf)"));
}

}  // namespace
}  // namespace espalier
