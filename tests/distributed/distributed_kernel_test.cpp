#include <gtest/gtest.h>

#include <cmath>

#include "espalier/distributed/distributed_trees.hpp"
#include "espalier/gram/gram.hpp"
#include "support/small_trees.hpp"

namespace espalier::test {
namespace {

constexpr std::size_t pair_count = 50;
constexpr std::size_t seed_count = 200;

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

/// Two trees for each pair, over few labels so that they share much.
std::vector<Tree> random_pairs() {
  Random random(17);
  std::vector<Tree> out;
  for (std::size_t i = 0; i < 2 * pair_count; ++i) {
    out.push_back(to_tree(random_shape(random, 2 + random.below(10), 3)));
  }
  return out;
}

/// How many of the pairs have a mean over all seeds within 4 standard errors of the exact kernel,
/// divided by the decay.
std::size_t unbiased_pairs(DistributedTreeOptions options, const std::string& kernel) {
  const std::vector<Tree> trees = random_pairs();
  const Matrix<double> exact = gram<double>(Kernel(kernel), dataset_of(trees));
  Forest forest;
  for (const Tree& tree : trees) forest.add(tree);
  std::vector<double> sums(pair_count), squares(pair_count);
  for (std::size_t seed = 0; seed < seed_count; ++seed) {
    options.seed = seed;
    const Matrix<float> rows = DistributedTrees(options).transform(forest);
    for (std::size_t i = 0; i < pair_count; ++i) {
      const double value = dot(rows.row(2 * i), rows.row(2 * i + 1));
      sums[i] += value;
      squares[i] += value * value;
    }
  }
  std::size_t near = 0;
  for (std::size_t i = 0; i < pair_count; ++i) {
    const double mean = sums[i] / seed_count;
    const double variance = std::max(squares[i] / seed_count - mean * mean, 0.0);
    const double error = std::abs(mean - exact(2 * i, 2 * i + 1) / options.decay);
    if (error <= 4 * std::sqrt(variance / seed_count) + 1e-5 * std::abs(mean)) ++near;
  }
  return near;
}

struct Case {
  const char* name;
  Composition compose;
  DistributedFragments fragments;
  const char* kernel;
};

class Unbiased : public testing::TestWithParam<Case> {};

TEST_P(Unbiased, MeansOverSeedsAreTheExactKernel) {
  DistributedTreeOptions options;
  options.dim = 1024;
  options.compose = GetParam().compose;
  options.fragments = GetParam().fragments;
  EXPECT_GE(unbiased_pairs(options, GetParam().kernel), 48U);
}

constexpr Case cases[] = {{"SubsetTreesByProduct", Composition::product,
                           DistributedFragments::subset_trees, "sst(lambda=0.4)"},
                          {"SubsetTreesByConvolution", Composition::convolution,
                           DistributedFragments::subset_trees, "sst(lambda=0.4)"},
                          {"SubtreesByProduct", Composition::product,
                           DistributedFragments::subtrees, "st(decay=0.4, weight=productions)"},
                          {"SubpathsByProduct", Composition::product,
                           DistributedFragments::subpaths, "subpath(lambda=0.4)"},
                          {"SubpathsByConvolution", Composition::convolution,
                           DistributedFragments::subpaths, "subpath(lambda=0.4)"}};

INSTANTIATE_TEST_SUITE_P(Kinds, Unbiased, testing::ValuesIn(cases),
                         [](const auto& parameter) { return parameter.param.name; });

// The papers' formula gives (a b c) and (a (b c)) one vector. On random trees over three labels
// that is a bias that can be seen.
TEST(DistributedKernel, IsBiasedWithoutArity) {
  DistributedTreeOptions options;
  options.dim = 1024;
  options.arity = false;
  EXPECT_LT(unbiased_pairs(options, "sst(lambda=0.4)"), 48U);
}

}  // namespace
}  // namespace espalier::test
