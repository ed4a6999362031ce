// Distributed trees: times beside the plain way to compute them, and how well they agree with the
// exact kernel.
//
//     espalier_distributed              times on one thread
//     espalier_distributed agreement    rank correlation with sst
//
// Needs ../shared, or the folder $ESPALIER_SHARED, for the questions.

#include <fmt/format.h>

#include <cstdio>
#include <numeric>

#include "baseline/distributed_trees.hpp"
#include "espalier/base/random.hpp"
#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/evaluate/regression.hpp"
#include "espalier/gram/gram.hpp"
#include "stopwatch.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

constexpr std::size_t dimension = 8192;

Forest forest_of(std::span<const Tree> trees) {
  Forest forest;
  for (const Tree& tree : trees) forest.add(tree);
  return forest;
}

DistributedTreeOptions options_of(Composition compose, double decay = 0.4) {
  DistributedTreeOptions options;
  options.dim = dimension;
  options.compose = compose;
  options.decay = decay;
  return options;
}

/// Microseconds a tree, one after the other; labels have been met before.
double time_stream(const DistributedTrees& distributed, std::span<const Tree> trees) {
  DistributedTreeStream stream(distributed);
  std::vector<float> row(dimension);
  const auto all = [&] {
    for (const Tree& tree : trees) stream.transform(tree, row);
  };
  all();
  return shortest(all).processor / static_cast<double>(trees.size()) * 1e6;
}

double time_forest(const DistributedTrees& distributed, std::span<const Tree> trees) {
  const Forest forest = forest_of(trees);
  Context context;
  context.threads = 1;
  Matrix<float> rows(trees.size(), dimension);
  std::vector<TreeId> ids(trees.size());
  std::iota(ids.begin(), ids.end(), TreeId{0});
  const auto all = [&] { distributed.transform(forest, ids, rows.data(), context); };
  return shortest(all).processor / static_cast<double>(trees.size()) * 1e6;
}

template <class Compose>
double time_plain(std::span<const Tree> trees) {
  baseline::DistributedTrees<Compose> plain(dimension, 0.4);
  const auto all = [&] {
    for (const Tree& tree : trees) plain(tree);
  };
  all();
  return shortest(all).processor / static_cast<double>(trees.size()) * 1e6;
}

void compare(const char* name, Composition compose, std::span<const Tree> all, double plain) {
  const DistributedTrees distributed(options_of(compose));
  const double sized = time_stream(distributed, of_size(all, 25, 300));
  const double stream = time_stream(distributed, all);
  const double forest = time_forest(distributed, all);
  fmt::print("{:<12} {:>9.1f} {:>9.1f} {:>6.1f}x {:>12.1f} {:>9.1f} {:>6.2f}x\n", name, plain,
             sized, plain / sized, stream, forest, stream / forest);
  std::fflush(stdout);
}

void run_times() {
  const std::vector<Tree> questions = question_dependencies();
  const std::vector<Tree> sized = of_size(questions, 25, 300);
  fmt::print(
      "Microseconds of one processor for a tree, d = {}. plain: gather and multiply, or three\n"
      "transforms of kissfft, for each composition; stream: one tree after the other; forest: the\n"
      "{} questions together.\n{:<12} {:>9} {:>9} {:>7} {:>12} {:>9} {:>7}\n",
      dimension, questions.size(), "25 nodes:", "plain", "stream", "", "all: stream", "forest", "");
  compare("product", Composition::product, questions, time_plain<baseline::GatheredProduct>(sized));
#ifdef ESPALIER_KISSFFT
  const double kiss = time_plain<baseline::KissConvolution>(sized);
#else
  const double kiss = 0;
  fmt::print("Without kissfft (libkissfft-dev): nothing to compare convolution with.\n");
#endif
  compare("convolution", Composition::convolution, questions, kiss);
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

/// Trees, and which of them are compared.
struct Pairs {
  std::string name;
  std::vector<Tree> trees;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};

Pairs all_pairs(std::string name, std::vector<Tree> trees) {
  Pairs out{std::move(name), std::move(trees), {}};
  for (std::uint32_t i = 0; i < out.trees.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) out.pairs.emplace_back(i, j);
  }
  return out;
}

Pairs random_pairs(std::string name, std::span<const Tree> trees, std::size_t sample,
                   std::size_t count) {
  Random random(7);
  Pairs out{std::move(name), {}, {}};
  for (std::size_t i = 0; i < sample; ++i) out.trees.push_back(trees[random.below(trees.size())]);
  while (out.pairs.size() < count) {
    const auto a = static_cast<std::uint32_t>(random.below(sample));
    const auto b = static_cast<std::uint32_t>(random.below(sample));
    if (a != b) out.pairs.emplace_back(a, b);
  }
  return out;
}

/// Spearman's correlation of dot products of rows with the exact kernel.
double agreement(const Matrix<float>& rows, double decay, const Pairs& pairs) {
  Dataset data;
  for (const Tree& tree : pairs.trees) {
    Example example;
    example.trees.push_back({"t", tree});
    data.add(example);
  }
  const Matrix<double> exact = gram<double>(Kernel(fmt::format("sst(lambda={})", decay)), data);
  std::vector<double> ours, theirs;
  for (const auto& [a, b] : pairs.pairs) {
    ours.push_back(dot(rows.row(a), rows.row(b)));
    theirs.push_back(exact(a, b));
  }
  return evaluate_regression(theirs, ours).spearman.value_or(0);
}

constexpr double decays[] = {0.2, 0.4, 0.6, 0.8, 1};

template <class RowsOf>
void print_agreement(const char* name, const Pairs& pairs, RowsOf&& rows_of) {
  fmt::print("{:<28}", name);
  for (const double decay : decays) {
    fmt::print(" {:>6.3f}", agreement(rows_of(decay), decay, pairs));
    std::fflush(stdout);
  }
  fmt::print("\n");
}

Matrix<float> plain_rows(double decay, std::span<const Tree> trees) {
  baseline::DistributedTrees<baseline::GatheredProduct> plain(dimension, decay);
  Matrix<float> rows(trees.size(), dimension);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    std::ranges::copy(plain(trees[i]), rows.row(i).begin());
  }
  return rows;
}

void run_agreement(const Pairs& pairs) {
  const Forest forest = forest_of(pairs.trees);
  fmt::print("\n{}: {} pairs, {:.1f} nodes a tree\n{:<28}", pairs.name, pairs.pairs.size(),
             static_cast<double>(forest.node_count()) / static_cast<double>(pairs.trees.size()),
             "lambda");
  for (const double decay : decays) fmt::print(" {:>6}", decay);
  fmt::print("\n");
  for (const auto compose : {Composition::product, Composition::convolution}) {
    for (const bool arity : {true, false}) {
      const std::string name =
          std::string(compose == Composition::product ? "product" : "convolution") +
          (arity ? "" : ", arity=false");
      print_agreement(name.c_str(), pairs, [&](double decay) {
        DistributedTreeOptions options = options_of(compose, decay);
        options.arity = arity;
        return DistributedTrees(options).transform(forest);
      });
    }
  }
  print_agreement("plain product, Gaussian", pairs,
                  [&](double decay) { return plain_rows(decay, pairs.trees); });
}

void run_agreement() {
  fmt::print("Spearman's correlation with sst, questions as constituents, d = {}\n", dimension);
  run_agreement(all_pairs("Test questions", question_constituents("test")));
  run_agreement(random_pairs("Training questions", question_constituents(), 1000, 20000));
  fmt::print("\n{:<28}  0.993  0.980  0.908  0.644  0.316\n", "published, product");
  fmt::print("{:<28}  0.994  0.989  0.880  0.377  0.107\n", "published, convolution");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  try {
    if (!espalier::bench::has_real_trees()) {
      fmt::print("No real trees in {}.\n", espalier::test::shared_folder());
    } else if (argc > 1 && std::string_view(argv[1]) == "agreement") {
      espalier::bench::run_agreement();
    } else {
      espalier::bench::run_times();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier_distributed: %s\n", error.what());
    return 1;
  }
}
