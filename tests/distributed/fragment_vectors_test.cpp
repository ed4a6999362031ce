#include <gtest/gtest.h>

#include "support/distributed_fragments.hpp"
#include "support/small_trees.hpp"

namespace espalier::test {
namespace {

std::vector<float> vector_of(const DistributedTrees& trees, const Tree& tree) {
  std::vector<float> row(trees.options().dim);
  DistributedTreeStream(trees).transform(tree, row);
  return row;
}

TEST(FragmentVectors, AddUpToTheVectorOfTheTree) {
  Random random(5);
  for (int round = 0; round < 12; ++round) {
    for (const Composition compose : compositions) {
      for (const DistributedFragments fragments : kinds) {
        DistributedTreeOptions options;
        options.dim = compose == Composition::product ? (round % 2 == 0 ? 72 : 61) : 64;
        options.compose = compose;
        options.fragments = fragments;
        options.decay = std::vector{0.4, 1.0, 0.0, 0.7}[random.below(4)];
        options.arity = round % 4 != 3;
        options.recipe = round % 3 == 0 ? Recipe::papers : Recipe::signs;
        const DistributedTrees trees(options);
        const PlainTree plain = random_shape(random, 1 + random.below(9), 3);
        const std::vector<double> expected = FragmentComposer(trees)(plain);
        const std::vector<float> actual = vector_of(trees, to_tree(plain));
        double error = 0, length = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          error += (actual[i] - expected[i]) * (actual[i] - expected[i]);
          length += expected[i] * expected[i];
        }
        EXPECT_LE(std::sqrt(error), 1e-5 * std::sqrt(length)) << round;
      }
    }
  }
}

TEST(FragmentVectors, WithoutArityTwoShapesCoincide) {
  DistributedTreeOptions options;
  options.dim = 64;
  options.decay = 1;
  options.arity = false;
  options.fragments = DistributedFragments::subtrees;
  const DistributedTrees papers(options);
  const std::vector<float> wide = vector_of(papers, tree("(a(b)(c))"));
  std::vector<float> deep = vector_of(papers, tree("(a(b(c)))"));
  const std::vector<float> lower = vector_of(papers, tree("(b(c))"));
  for (std::size_t i = 0; i < deep.size(); ++i) deep[i] -= lower[i];
  for (std::size_t i = 0; i < deep.size(); ++i) EXPECT_NEAR(wide[i], deep[i], 1e-6);

  options.arity = true;
  const DistributedTrees ours(options);
  const std::vector<float> x = vector_of(ours, tree("(a(b)(c))"));
  const std::vector<float> y = vector_of(ours, tree("(a(b(c)))"));
  const std::vector<float> z = vector_of(ours, tree("(b(c))"));
  std::size_t equal = 0;
  for (std::size_t i = 0; i < x.size(); ++i) equal += std::abs(x[i] - (y[i] - z[i])) < 1e-6 ? 1 : 0;
  EXPECT_LT(equal, 48);
}

}  // namespace
}  // namespace espalier::test
