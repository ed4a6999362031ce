// Trees that would overflow the stack of anything that recurses, or be slow for anything quadratic.
// tests/io/large_tree_test.cpp has the ones of 2,000,000 nodes, from file to file.
#include <gtest/gtest.h>

#include "espalier/forest/forest.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

constexpr std::uint32_t nodes = 200'000;

TEST(ForestOfLargeTrees, HoldsAPath) {
  for (const bool ordered : {true, false}) {
    const Tree path = test::path_tree(nodes);
    Forest forest({.ordered = ordered});
    forest.add(path);
    EXPECT_EQ(forest.vertex_count(), nodes);
    EXPECT_EQ(forest.production_count(), 2U);
    EXPECT_EQ(forest.height(forest.root(0)), nodes - 1);
    EXPECT_EQ(forest.size(forest.root(0)), nodes);
    EXPECT_TRUE(forest.tree(0) == path);
  }
}

TEST(ForestOfLargeTrees, HoldsAStar) {
  for (const bool ordered : {true, false}) {
    const Tree star = test::star_tree(nodes);
    Forest forest({.ordered = ordered});
    forest.add(star);
    EXPECT_EQ(forest.vertex_count(), 2U);
    EXPECT_EQ(forest.height(forest.root(0)), 1U);
    EXPECT_EQ(forest.size(forest.root(0)), nodes);
    EXPECT_EQ(forest.occurrences(0)[0].count, nodes - 1);
    EXPECT_TRUE(forest.tree(0) == star);
  }
}

TEST(ForestOfLargeTrees, MergesThem) {
  Forest forest, other;
  other.add(test::path_tree(nodes));
  other.add(test::star_tree(nodes));
  forest.merge(other);
  EXPECT_EQ(forest.node_count(), 2 * nodes);
  EXPECT_EQ(forest.vertex_count(), other.vertex_count());
}

}  // namespace
}  // namespace espalier
