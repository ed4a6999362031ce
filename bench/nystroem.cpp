// Nystroem vectors of the questions: fitting, embedding in two ways, and predicting one question.
//
//     espalier_nystroem [LANDMARKS]
//
// Needs ../shared, or the folder $ESPALIER_SHARED, for the questions. Two threads.

#include "espalier/embed/nystroem.hpp"

#include <fmt/format.h>

#include "espalier/base/number.hpp"
#include "espalier/model/train.hpp"
#include "stopwatch.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

void print(const char* what, const Time& time) {
  fmt::print("{:<58} {:8.3f} s, {:8.3f} s of processor\n", what, time.wall, time.processor);
}

/// From an example to its class, on one thread: the mean over all test questions.
Time one_at_a_time(const Model& model, const Dataset& test) {
  std::vector<Example> examples;
  for (std::size_t i = 0; i < test.size(); ++i) examples.push_back(test.example(i));
  Context context;
  context.threads = 1;
  const Time time = shortest([&] {
    for (const Example& example : examples) {
      Dataset one;
      one.add(example);
      predict(model, one, context);
    }
  });
  const auto count = static_cast<double>(test.size());
  return {time.wall / count, time.processor / count};
}

void run(std::size_t landmarks) {
  const Kernel kernel("norm(pt(grct, lambda=0.4, mu=0.4, terminal=5))");
  const Dataset train_data = read(test::shared_data("qc_kelp_train.klp.gz"));
  const Dataset test_data = read(test::shared_data("qc_kelp_test.klp.gz"));
  Dataset all = train_data;
  for (std::size_t i = 0; i < test_data.size(); ++i) all.add(test_data.example(i));
  Context context;
  context.threads = 2;
  Nystroem nystroem(kernel, {.landmarks = landmarks});
  fmt::print("{} landmarks, {} questions, {}\n", landmarks, all.size(), kernel.to_string());
  print("fit", shortest([&] { nystroem.fit(train_data, {}, context); }));
  print("transform: Gram matrix and product", shortest([&] { nystroem.transform(all, context); }));
  const KernelFunctions walk = nystroem.landmark_kernels(context);
  print("kernels with landmarks by one walk of a weighted forest",
        time_of([&] { walk(all, context); }));
  TrainOptions options;
  options.learner = Learner::linear;
  options.nystroem = NystroemOptions{.landmarks = landmarks};
  print("train a linear model", time_of([&] { train(kernel, train_data, options, context); }));
  options.network.epochs = 2;  // predictions take as long after any number
  for (const auto& [learner, name] :
       {std::pair(Learner::linear, "linear"), {Learner::kda, "kda"}}) {
    options.learner = learner;
    const Time one = one_at_a_time(train(kernel, train_data, options, context), test_data);
    fmt::print("predict one question on one thread, {}: {:.0f} us, {:.0f} us of processor\n", name,
               1e6 * one.wall, 1e6 * one.processor);
  }
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  const auto landmarks = espalier::parse_number(argc > 1 ? argv[1] : "1000");
  espalier::bench::run(static_cast<std::size_t>(landmarks.value_or(1000)));
}
