#include <benchmark/benchmark.h>

#include "espalier/forest/forest.hpp"
#include "tree_sets.hpp"

namespace espalier::bench {
namespace {

void count_nodes(benchmark::State& state, std::span<const Tree> trees) {
  std::size_t nodes = 0;
  for (const Tree& tree : trees) nodes += tree.size();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes));
}

Forest forest_of(std::span<const Tree> trees, ForestOptions options = {}) {
  Forest forest(options);
  for (const Tree& tree : trees) forest.add(tree);
  return forest;
}

/// Items are nodes. The argument is how many trees there are.
void add_sentences(benchmark::State& state, ForestOptions options) {
  const std::vector<Tree> trees = sentences(static_cast<std::size_t>(state.range(0)), 24);
  for (auto _ : state) benchmark::DoNotOptimize(forest_of(trees, options));
  count_nodes(state, trees);
}
BENCHMARK_CAPTURE(add_sentences, ordered, ForestOptions{})->Arg(100)->Arg(5000);
BENCHMARK_CAPTURE(add_sentences, unordered, ForestOptions{.ordered = false})->Arg(5000);

void merge_sentences(benchmark::State& state) {
  const std::vector<Tree> trees = sentences(5000, 24);
  const Forest first = forest_of(std::span(trees).first(2500));
  const Forest second = forest_of(std::span(trees).subspan(2500));
  for (auto _ : state) {
    Forest forest;
    forest.merge(first);
    forest.merge(second);
    benchmark::DoNotOptimize(forest.vertex_count());
  }
  count_nodes(state, trees);
}
BENCHMARK(merge_sentences);

void read_back_sentences(benchmark::State& state) {
  const std::vector<Tree> trees = sentences(5000, 24);
  const Forest forest = forest_of(trees);
  for (auto _ : state) {
    for (TreeId t = 0; t < forest.tree_count(); ++t) benchmark::DoNotOptimize(forest.tree(t));
  }
  count_nodes(state, trees);
}
BENCHMARK(read_back_sentences);

/// 2,599 real programs from a compressed file to a data set.
void read_programs(benchmark::State& state) {
  const std::string path = test::shared_data("poj104.val.sexpr.gz");
  if (!std::filesystem::exists(path)) {
    state.SkipWithError("needs ../shared/data/poj104.val.sexpr.gz");
    return;
  }
  std::uint64_t nodes = 0;
  for (auto _ : state) {
    const Dataset data = read(path);
    nodes = data.forests()[0].value.node_count();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes));
}
BENCHMARK(read_programs)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace espalier::bench
