// Prediction by the weighted forest beside prediction by support vectors, in one run.
//
//     espalier_prediction
//
// Needs ../shared, or the folder $ESPALIER_SHARED, for the questions.

#include <fmt/format.h>

#include <cstdio>

#include "contest.hpp"
#include "espalier/model/train.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

/// A model, and the support vectors that it stands for.
struct Trained {
  Model model;
  BinaryClassifiers classifiers;
  std::vector<std::uint32_t> support_vectors;  ///< those of any of the classifiers
};

Trained trained(const Kernel& kernel, const Dataset& data) {
  TrainOptions options;
  options.classifier.cost = 3;
  options.classifier.weights = ClassWeights::balanced;
  const Targets targets = make_targets(data);
  const Matrix<float> matrix = gram<float>(kernel, data);
  Trained out{train(kernel, data, options), {}, {}};
  out.classifiers = train_decision_functions(GramView(matrix), targets, options).classifiers;
  std::vector<bool> used(data.size(), false);
  for (const DecisionFunction& function : out.classifiers.functions) {
    for (const SupportVector& s : function.support_vectors) used[s.example] = true;
  }
  for (std::uint32_t i = 0; i < data.size(); ++i) {
    if (used[i]) out.support_vectors.push_back(i);
  }
  return out;
}

std::vector<Tree> trees_of(const Dataset& data, std::span<const std::uint32_t> examples) {
  const TreeColumn& column = data.trees("grct");
  std::vector<Tree> out;
  for (const std::uint32_t i : examples) {
    out.push_back(data.forests()[column.forest].value.tree(column.trees[i]));
  }
  return out;
}

/// One kernel row for each support vector, tree by tree, 64 x 64 at a time.
double time_rows(const Kernel& kernel, std::span<const Tree> support, std::span<const Tree> test) {
  std::vector<Tree> all(support.begin(), support.end());
  all.insert(all.end(), test.begin(), test.end());
  const baseline::FlatTrees flat(all);
  Matrix<double> values(support.size(), test.size());
  double seconds = 0;
  const Kernel plain(std::get<CombinationNode>(kernel.root().what).operands[0]);
  with_algorithm(Algorithm::paper, flat, plain, [&](auto& pair_kernel) {
    seconds = shortest([&] {
                for (std::size_t top = 0; top < support.size(); top += 64) {
                  for (std::size_t left = 0; left < test.size(); left += 64) {
                    for (std::size_t i = top; i < std::min(top + 64, support.size()); ++i) {
                      for (std::size_t j = left; j < std::min(left + 64, test.size()); ++j) {
                        values(i, j) = pair_kernel(i, support.size() + j);
                      }
                    }
                  }
                }
              }).processor;
  });
  return seconds;
}

/// The same by our own engine, called once for each support vector as a program without blocks
/// does.
double time_own_rows(const Kernel& kernel, std::span<const Tree> support, const Dataset& test) {
  constexpr std::size_t sample = 100;
  std::vector<Dataset> single;
  for (std::size_t i = 0; i < sample; ++i) {
    Example example;
    example.trees.push_back({"grct", support[i * support.size() / sample]});
    single.emplace_back().add(example);
  }
  const double seconds = time_of([&] {
                           for (const Dataset& one : single) {
                             gram<double>(kernel, test, one, with_threads(1));
                           }
                         }).processor;
  return seconds * static_cast<double>(support.size()) / sample;
}

void compare(const char* expression, const Dataset& train_data, const Dataset& test_data) {
  const Kernel kernel(expression);
  const Trained t = trained(kernel, train_data);
  std::vector<std::uint32_t> all(test_data.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto support = trees_of(train_data, t.support_vectors);
  std::size_t coefficients = 0;
  for (const DecisionFunction& function : t.classifiers.functions)
    coefficients += function.support_vectors.size();
  const double ours = shortest([&] { predict(t.model, test_data, with_threads(1)); }).processor;
  const double rows = time_rows(kernel, support, trees_of(test_data, all));
  const double own_rows = time_own_rows(kernel, support, test_data);
  const double separate =
      rows * static_cast<double>(coefficients) / static_cast<double>(support.size());
  fmt::print("{:<42} {:>7} {:>9.4f} {:>9.3f} {:>6.1f}x {:>9.2f} {:>6.1f}x {:>9.2f} {:>6.1f}x\n",
             expression, support.size(), ours, rows, rows / ours, separate, separate / ours,
             own_rows, own_rows / ours);
  std::fflush(stdout);
}

void run() {
  if (!has_real_trees()) {
    fmt::print("No real trees in {}.\n", test::shared_folder());
    return;
  }
  fmt::print(
      "CPU seconds to predict 500 questions, one thread. SV: support vectors of all six binary\n"
      "classifiers; rows: a kernel for each of them and each question, tree by tree; separate: "
      "the\n"
      "same for each classifier, as programs with one model file per class do; gram: our engine,\n"
      "one support vector at a time.\n");
  fmt::print("{:<42} {:>7} {:>9} {:>9} {:>7} {:>9} {:>7} {:>9} {:>7}\n", "kernel", "SV", "ours",
             "rows", "", "separate", "", "gram", "");
  const Dataset train_data = read(test::shared_data("qc_kelp_train.klp.gz"));
  const Dataset test_data = read(test::shared_data("qc_kelp_test.klp.gz"));
  compare("norm(sst(grct, lambda=0.4, leaves=true))", train_data, test_data);
  compare("norm(pt(grct, lambda=0.4, mu=0.4, terminal=5))", train_data, test_data);
}

}  // namespace
}  // namespace espalier::bench

int main() {
  try {
    espalier::bench::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier_prediction: %s\n", error.what());
    return 1;
  }
}
