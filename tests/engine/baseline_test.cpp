// What the benchmarks compare with must compute the same kernels.
#include <gtest/gtest.h>

#include "baseline/all_pairs.hpp"
#include "baseline/matched_pairs.hpp"
#include "baseline/paper_pairs.hpp"
#include "baseline/tiles.hpp"
#include "support/grams.hpp"
#include "support/small_trees.hpp"

namespace espalier {
namespace {

template <class PairKernel, class Options>
testing::AssertionResult matches_the_enumeration(const std::vector<test::MaybeTree>& trees,
                                                 const Options& options) {
  std::vector<Tree> flat;
  for (const test::MaybeTree& tree : trees) flat.push_back(test::to_tree(tree));
  const baseline::FlatTrees all(flat);
  PairKernel kernel(all, options);
  Matrix<double> found(flat.size(), flat.size());
  // Tiles that do not divide the matrix.
  EXPECT_EQ(baseline::tiled_gram(kernel, found, 1, 4), flat.size() * (flat.size() + 1) / 2);
  return test::agree(found, test::enumerated(TreeKernelNode{"", options}, trees));
}

template <class Check>
void on_random_trees(Check&& check) {
  test::Random random(11);
  for (int round = 0; round < 30; ++round) check(test::random_trees(random, 11, 9));
}

TEST(Baseline, ComputesSt) {
  on_random_trees([](const auto& trees) {
    for (const bool leaves : {false, true}) {
      for (const auto weight : {SubtreeWeight::height, SubtreeWeight::size,
                                SubtreeWeight::productions, SubtreeWeight::uniform}) {
        const SubtreeOptions options{.decay = 0.7, .weight = weight, .leaves = leaves};
        EXPECT_TRUE(matches_the_enumeration<baseline::MatchedSubtrees>(trees, options));
      }
    }
  });
}

TEST(Baseline, ComputesSst) {
  on_random_trees([](const auto& trees) {
    for (const bool leaves : {false, true}) {
      const SubsetTreeOptions options{.decay = 0.3, .leaves = leaves};
      EXPECT_TRUE(matches_the_enumeration<baseline::MatchedSubsetTrees>(trees, options));
      EXPECT_TRUE(matches_the_enumeration<baseline::PaperSubsetTrees>(trees, options));
      EXPECT_TRUE(matches_the_enumeration<baseline::QuadraticSubsetTrees>(trees, options));
    }
  });
}

TEST(Baseline, ComputesPt) {
  on_random_trees([](const auto& trees) {
    for (const auto& options :
         {PartialTreeOptions{}, PartialTreeOptions{.decay = 1, .depth_decay = 1},
          PartialTreeOptions{.decay = 0.7, .depth_decay = 0.3, .terminal = 2, .gap = Gap::span},
          PartialTreeOptions{.terminal = 0.5, .max_length = 2}}) {
      EXPECT_TRUE(matches_the_enumeration<baseline::MatchedPartialTrees>(trees, options));
      EXPECT_TRUE(matches_the_enumeration<baseline::PaperPartialTrees>(trees, options));
      EXPECT_TRUE(matches_the_enumeration<baseline::QuadraticPartialTrees>(trees, options));
    }
  });
}

TEST(Baseline, ComputesSomeTilesOnly) {
  const auto kernel = [](std::size_t i, std::size_t j) { return static_cast<double>(i * 10 + j); };
  Matrix<double> found(5, 5);
  std::fill_n(found.data(), 25, -1);
  // Tiles of two: (0,0), (2,0), (2,2), (4,0), (4,2), (4,4); every second one.
  EXPECT_EQ(baseline::tiled_gram(kernel, found, 2, 2), 3U + 3U + 2U);
  EXPECT_EQ(found(1, 0), 10);
  EXPECT_EQ(found(0, 1), 10);
  EXPECT_EQ(found(3, 2), 32);
  EXPECT_EQ(found(2, 0), -1);
  EXPECT_EQ(found(4, 3), 43);
}

}  // namespace
}  // namespace espalier
