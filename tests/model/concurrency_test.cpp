// Many threads read one forest and one model at a time. The tsan build (docs/guarantees.md) looks
// for races; here the values must be those of one thread, to the bit.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/embed/nystroem.hpp"
#include "espalier/model/train.hpp"
#include "model/toy_data.hpp"
#include "support/cases.hpp"

namespace espalier {
namespace {

constexpr std::size_t threads = 8;
constexpr std::size_t turns = 6;

/// Calls compute() in all threads at once, again and again; how often it was not `right`.
template <class Values>
std::size_t differences(const Values& right, const std::function<Values()>& compute) {
  std::atomic<std::size_t> out = 0;
  std::atomic<bool> start = false;
  {
    std::vector<std::jthread> all;
    for (std::size_t t = 0; t < threads; ++t) {
      all.emplace_back([&] {
        while (!start) std::this_thread::yield();
        for (std::size_t turn = 0; turn < turns; ++turn) out += compute() != right;
      });
    }
    start = true;
  }
  return out;
}

template <class T>
std::vector<T> cells(const Matrix<T>& matrix) {
  return {matrix.data(), matrix.data() + matrix.rows() * matrix.columns()};
}

struct Kind : test::Row {
  const char* kernel;
  Learner learner;
  std::size_t landmarks = 0;
};

class ConcurrentPrediction : public testing::TestWithParam<Kind> {};

TEST_P(ConcurrentPrediction, MatchesOneThread) {
  const Dataset train_data = test::toy_classes({.count = 60, .seed = 1});
  const Dataset data = test::toy_classes({.count = 30, .seed = 2});
  TrainOptions options;
  options.learner = GetParam().learner;
  options.probabilities = options.learner == Learner::svm;
  if (GetParam().landmarks > 0) options.nystroem = {.landmarks = GetParam().landmarks};
  const Model model = train(Kernel(GetParam().kernel), train_data, options);
  const auto scores = [&](std::size_t inner) {
    return cells(predict(model, data, {.threads = inner}).scores);
  };
  const std::vector<double> right = scores(1);
  EXPECT_EQ(differences<std::vector<double>>(right, [&] { return scores(1); }), 0U);
  EXPECT_EQ(differences<std::vector<double>>(right, [&] { return scores(2); }), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Models, ConcurrentPrediction,
    testing::Values(Kind{{"Svm"}, "norm(sst(t)) + 0.5*norm(pt(u))", Learner::svm},
                    Kind{{"SvmOfProducts"}, "norm(pt(t))*rbf(d)", Learner::svm},
                    Kind{{"Linear"}, "norm(st(t)) + linear(v)", Learner::linear},
                    Kind{{"Nystroem"}, "norm(pt(t))", Learner::linear, 20},
                    Kind{{"Distributed"}, "dtk(t, dim=256)", Learner::linear},
                    Kind{{"Online"}, "norm(sst(t))", Learner::passive_aggressive}),
    test::RowName());

TEST(ConcurrentReaders, OfOneForestAgree) {
  const Dataset data = test::toy_classes({.count = 40, .seed = 3});
  const Kernel kernel("norm(pt(t)) + norm(st(u))*linear(v)");
  const auto matrix = [&] { return cells(gram(kernel, data, {.threads = 2})); };
  EXPECT_EQ(differences<std::vector<double>>(matrix(), matrix), 0U);
  Nystroem nystroem(kernel, {.landmarks = 10});
  nystroem.fit(data);
  const auto vectors = [&] { return cells(nystroem.transform(data, {.threads = 2})); };
  EXPECT_EQ(differences<std::vector<float>>(vectors(), vectors), 0U);
  const DistributedTrees trees({.dim = 256});
  const Forest& forest = data.forests()[0].value;
  const auto distributed = [&] { return cells(trees.transform(forest, {.threads = 2})); };
  EXPECT_EQ(differences<std::vector<float>>(distributed(), distributed), 0U);
}

}  // namespace
}  // namespace espalier
