// Trains an SVM on PropBank arguments with and without sharing: the working-set solver beside SMO
// on rows of kernels that are computed tree by tree and kept in a cache, as SVM-light-TK and LIBSVM
// do.
//
//     espalier_working_set [examples..]
//
// Needs ../shared, or the folder $ESPALIER_SHARED. One binary problem: ARG0 against the others.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <unordered_map>

#include "baseline/matched_pairs.hpp"
#include "espalier/espalier.hpp"
#include "stopwatch.hpp"
#include "support/shared_data.hpp"

namespace espalier::bench {
namespace {

constexpr double decay = 0.4, cost = 1, tolerance = 1e-3;
constexpr std::size_t cache_bytes = std::size_t{1} << 30;

/// Rows of the normalised kernel matrix, computed tree by tree; the least recently used is dropped.
class CachedRows {
 public:
  CachedRows(const baseline::FlatTrees& trees, std::size_t size)
      : kernel_(trees, SubsetTreeOptions{.decay = decay}),
        size_(size),
        most_(std::max<std::size_t>(2, cache_bytes / (sizeof(float) * size))) {
    for (std::size_t i = 0; i < size; ++i) lengths_.push_back(std::sqrt(kernel_(i, i)));
  }

  const std::vector<float>& operator()(std::uint32_t i) {
    if (const auto found = rows_.find(i); found != rows_.end()) {
      used_.splice(used_.begin(), used_, found->second.second);
      return found->second.first;
    }
    if (rows_.size() == most_) {
      rows_.erase(used_.back());
      used_.pop_back();
    }
    ++computed;
    std::vector<float> row(size_);
    for (std::size_t j = 0; j < size_; ++j) {
      row[j] = static_cast<float>(kernel_(i, j) / (lengths_[i] * lengths_[j]));
    }
    used_.push_front(i);
    return rows_.emplace(i, std::pair(std::move(row), used_.begin())).first->second.first;
  }

  std::size_t computed = 0;

 private:
  baseline::MatchedSubsetTrees kernel_;
  std::size_t size_, most_;
  std::vector<double> lengths_;
  std::list<std::uint32_t> used_;  ///< most recent first
  std::unordered_map<std::uint32_t,
                     std::pair<std::vector<float>, std::list<std::uint32_t>::iterator>>
      rows_;
};

/// SMO with second-order selection (Fan, Chen & Lin 2005), without shrinking. Returns the dual
/// objective.
double smo(CachedRows& rows, const std::vector<int>& signs) {
  const std::size_t size = signs.size();
  std::vector<double> alpha(size, 0), gradient(size, -1);
  while (true) {
    std::uint32_t first = none, second = none;
    double highest = -HUGE_VAL, lowest = HUGE_VAL, best = 0;
    for (std::uint32_t t = 0; t < size; ++t) {
      const bool up = signs[t] > 0 ? alpha[t] < cost : alpha[t] > 0;
      if (up && -signs[t] * gradient[t] > highest) highest = -signs[t] * gradient[first = t];
    }
    if (first == none) break;
    const std::vector<float> row = rows(first);
    for (std::uint32_t t = 0; t < size; ++t) {
      const bool down = signs[t] > 0 ? alpha[t] > 0 : alpha[t] < cost;
      if (!down) continue;
      const double value = -signs[t] * gradient[t];
      lowest = std::min(lowest, value);
      const double gain = (highest - value) * (highest - value) /
                          std::max(1e-12, 2 - 2 * static_cast<double>(row[t]));
      if (highest > value && gain > best) {
        best = gain;
        second = t;
      }
    }
    if (highest - lowest < tolerance || second == none) break;
    const std::vector<float>& other = rows(second);
    const double curvature = std::max(1e-12, 2 - 2 * static_cast<double>(row[second]));
    double step = (highest + signs[second] * gradient[second]) / curvature;
    step = std::min(step, signs[first] > 0 ? cost - alpha[first] : alpha[first]);
    step = std::min(step, signs[second] > 0 ? alpha[second] : cost - alpha[second]);
    alpha[first] += signs[first] * step;
    alpha[second] -= signs[second] * step;
    for (std::size_t t = 0; t < size; ++t) {
      gradient[t] +=
          signs[t] * step * (static_cast<double>(row[t]) - static_cast<double>(other[t]));
    }
  }
  double out = 0;
  for (std::size_t t = 0; t < size; ++t) out += alpha[t] * (gradient[t] - 1) / 2;
  return out;
}

void compare(const Dataset& all, std::size_t size) {
  std::vector<std::uint32_t> some;
  for (std::size_t k = 0; k < size; ++k) {
    some.push_back(static_cast<std::uint32_t>(k * all.size() / size));
  }
  const Dataset chosen = all.select(some);
  std::vector<std::vector<Label>> labels;
  std::vector<Tree> trees;
  std::vector<int> signs;
  for (std::size_t i = 0; i < size; ++i) {
    const Example example = chosen.example(i);
    const bool positive = example.labels[0].name == "ARG0";
    labels.push_back({Label{positive ? "a" : "b", {}}});
    signs.push_back(positive ? 1 : -1);
    trees.push_back(example.trees[0].value);
  }
  const Dataset data = chosen.relabelled(labels);
  TrainOptions options;
  options.solver = SvmSolver::working_set;
  Context context;
  context.threads = 1;
  double ours = 0, theirs = 0;
  const Time working_set = time_of([&] {
    const Model model = train(Kernel("norm(sst(lambda=0.4))"), data, options, context);
    ours = std::get<Classification>(model.decision).classifiers.functions[0].objective;
  });
  std::size_t computed = 0;
  const Time tree_by_tree = time_of([&] {
    const baseline::FlatTrees flat(trees);
    CachedRows rows(flat, size);
    theirs = smo(rows, signs);
    computed = rows.computed;
  });
  fmt::print("| {} | {:.2f} | {:.1f} | {} | {:.0f}x | {:.1e} |\n", size, working_set.processor,
             tree_by_tree.processor, computed, tree_by_tree.processor / working_set.processor,
             std::abs(ours - theirs) / std::abs(theirs));
  std::fflush(stdout);
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier;
  const Dataset all = read(test::shared_data("propbank_arguments.train.tsv.gz"));
  fmt::print(
      "| examples | working set, CPU s | tree by tree, CPU s | rows | ratio | objectives |\n");
  fmt::print("|---:|---:|---:|---:|---:|---:|\n");
  std::vector<std::size_t> sizes = {5000, 10'000, 20'000};
  if (argc > 1) sizes.clear();
  for (int a = 1; a < argc; ++a) sizes.push_back(std::strtoull(argv[a], nullptr, 10));
  for (const std::size_t size : sizes) bench::compare(all, size);
}
