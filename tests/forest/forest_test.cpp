#include "espalier/forest/forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/cases.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::tree;

TEST(Forest, StoresEachDistinctSubtreeOnce) {
  Forest forest;
  EXPECT_EQ(forest.add(tree("(S(NP(dog))(VP(dog)(dog)))")), 0U);
  EXPECT_EQ(forest.add(tree("(S(NP(dog))(NP(dog)))")), 1U);
  // dog, (NP dog), (VP dog dog), S, S
  EXPECT_EQ(forest.vertex_count(), 5U);
  EXPECT_EQ(forest.node_count(), 11U);
  EXPECT_EQ(forest.tree_count(), 2U);
  EXPECT_EQ(forest.labels().size(), 4U);

  const auto occurrences = forest.occurrences(1);
  ASSERT_EQ(occurrences.size(), 3U);
  EXPECT_EQ(occurrences[0].count, 2U);
  EXPECT_EQ(occurrences[1].count, 2U);
  EXPECT_EQ(occurrences[2], (Occurrence{forest.root(1), 1}));
  EXPECT_EQ(forest.labels().text(forest.label(forest.root(1))), "S");
}

TEST(Forest, DistinguishesLeavesFromInnerNodesWithTheSameLabel) {
  Forest forest;
  forest.add(tree("(A(A(A)))"));
  ASSERT_EQ(forest.vertex_count(), 3U);
  for (VertexId v = 0; v < 3; ++v) {
    EXPECT_EQ(forest.height(v), v);
    EXPECT_EQ(forest.size(v), v + 1);
    EXPECT_EQ(forest.is_leaf(v), v == 0);
    EXPECT_EQ(forest.children(v).size(), v == 0 ? 0U : 1U);
  }
  // A -> A twice, and A without children.
  EXPECT_EQ(forest.production_count(), 2U);
  EXPECT_EQ(forest.production(1), forest.production(2));
  EXPECT_NE(forest.production(0), forest.production(1));
}

TEST(Forest, AcceptsEmptyTrees) {
  Forest forest;
  EXPECT_EQ(forest.add(Tree()), 0U);
  EXPECT_EQ(forest.add(tree("(A)")), 1U);
  EXPECT_EQ(forest.add(Tree()), 2U);
  EXPECT_EQ(forest.tree_count(), 3U);
  EXPECT_EQ(forest.node_count(), 1U);
  EXPECT_EQ(forest.root(0), none);
  EXPECT_EQ(forest.root(2), none);
  EXPECT_TRUE(forest.occurrences(0).empty());
  EXPECT_TRUE(forest.occurrences(2).empty());
  EXPECT_EQ(forest.tree(0), Tree());
  EXPECT_EQ(forest.tree(1), tree("(A)"));
  EXPECT_EQ(forest.tree(2), Tree());
}

TEST(Forest, AcceptsATreeOfOneNode) {
  Forest forest;
  forest.add(tree("()"));
  EXPECT_EQ(forest.vertex_count(), 1U);
  EXPECT_EQ(forest.root(0), 0U);
  EXPECT_EQ(forest.height(0), 0U);
  EXPECT_EQ(forest.size(0), 1U);
  EXPECT_TRUE(forest.is_leaf(0));
  EXPECT_EQ(forest.tree(0), tree("()"));
}

TEST(Forest, IsEmptyAtFirst) {
  const Forest forest;
  EXPECT_EQ(forest.tree_count(), 0U);
  EXPECT_EQ(forest.vertex_count(), 0U);
  EXPECT_EQ(forest.production_count(), 0U);
  EXPECT_EQ(forest.node_count(), 0U);
}

struct Sameness : test::Row {
  const char* a = "";
  const char* b = "";
  bool same[4] = {};  ///< ordered and labelled, ordered, labelled, neither
};

class ForestSameness : public testing::TestWithParam<Sameness> {};

TEST_P(ForestSameness, DependsOnTheOptions) {
  const ForestOptions options[] = {{true, true}, {true, false}, {false, true}, {false, false}};
  for (std::size_t i = 0; i < 4; ++i) {
    SCOPED_TRACE(testing::Message()
                 << "ordered " << options[i].ordered << ", labelled " << options[i].labelled);
    Forest forest(options[i]);
    EXPECT_EQ(forest.options(), options[i]);
    forest.add(tree(GetParam().a));
    forest.add(tree(GetParam().b));
    EXPECT_EQ(forest.root(0) == forest.root(1), GetParam().same[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, ForestSameness,
    testing::Values(
        Sameness{{"Equal"}, "(A(B)(C))", "(A(B)(C))", {true, true, true, true}},
        Sameness{{"LeavesSwapped"}, "(A(B)(C))", "(A(C)(B))", {false, true, true, true}},
        Sameness{{"RootRenamed"}, "(A(B)(C))", "(X(B)(C))", {false, true, false, true}},
        Sameness{{"LeafRenamed"}, "(A(B)(C))", "(A(B)(X))", {false, true, false, true}},
        Sameness{{"SubtreesSwapped"}, "(A(B(D))(C))", "(A(C)(B(D)))", {false, false, true, true}},
        Sameness{
            {"SwappedBelow"}, "(R(A(B(D))(C)))", "(R(A(C)(B(D))))", {false, false, true, true}},
        Sameness{{"OneLeafMore"}, "(A(B)(B))", "(A(B)(B)(B))", {false, false, false, false}},
        Sameness{{"Deeper"}, "(A(B)(C))", "(A(B(C)))", {false, false, false, false}}),
    test::RowName());

TEST(Forest, ReturnsUnlabelledTreesWithEmptyLabels) {
  Forest forest({.labelled = false});
  forest.add(tree("(A(B)(C(D)))"));
  EXPECT_EQ(forest.tree(0), tree("(()(()))"));
  EXPECT_EQ(forest.labels().size(), 1U);
}

TEST(Forest, ReturnsSubtrees) {
  Forest forest;
  forest.add(tree("(S(NP(dog))(VP(dog)(dog)))"));
  EXPECT_EQ(forest.subtree(forest.root(0)), forest.tree(0));
  const auto children = forest.children(forest.root(0));
  ASSERT_EQ(children.size(), 2U);
  EXPECT_EQ(forest.subtree(children[0]), tree("(NP(dog))"));
  EXPECT_EQ(forest.subtree(children[1]), tree("(VP(dog)(dog))"));
}

TEST(Forest, SharesProductionsBetweenDifferentSubtrees) {
  Forest ordered;
  ordered.add(tree("(S(NP(a))(VP(b)))"));
  ordered.add(tree("(S(NP(c))(VP(d)))"));
  ordered.add(tree("(S(VP(b))(NP(a)))"));
  EXPECT_EQ(ordered.production(ordered.root(0)), ordered.production(ordered.root(1)));
  EXPECT_NE(ordered.production(ordered.root(0)), ordered.production(ordered.root(2)));

  Forest unordered({.ordered = false});
  unordered.add(tree("(S(NP(a))(VP(b)))"));
  unordered.add(tree("(S(VP(d))(NP(c)))"));
  unordered.add(tree("(S(VP(d))(VP(c)))"));
  EXPECT_EQ(unordered.production(unordered.root(0)), unordered.production(unordered.root(1)));
  EXPECT_NE(unordered.production(unordered.root(0)), unordered.production(unordered.root(2)));
}

TEST(ForestMerge, ReturnsTheNewVertexOfEachVertex) {
  Forest here;
  here.add(tree("(A(B))"));
  Forest there;
  there.add(tree("(C(B)(A(B)))"));
  there.add(Tree());
  const auto map = here.merge(there);
  ASSERT_EQ(map.size(), there.vertex_count());
  for (VertexId v = 0; v < map.size(); ++v) {
    EXPECT_EQ(here.subtree(map[v]), there.subtree(v));
  }
  EXPECT_EQ(here.tree_count(), 3U);
  EXPECT_EQ(here.vertex_count(), 3U);
  EXPECT_EQ(here.node_count(), 6U);
  EXPECT_EQ(here.tree(1), there.tree(0));
  EXPECT_EQ(here.root(2), none);
}

TEST(ForestMerge, WithNothingChangesNothing) {
  Forest forest;
  forest.add(tree("(A(B))"));
  EXPECT_TRUE(forest.merge(Forest()).empty());
  EXPECT_EQ(forest.tree_count(), 1U);
  EXPECT_EQ(forest.vertex_count(), 2U);
}

TEST(ForestMerge, WithItselfDoublesItsTrees) {
  Forest forest;
  forest.add(tree("(A(B)(B))"));
  forest.add(tree("(B)"));
  forest.merge(forest);
  ASSERT_EQ(forest.tree_count(), 4U);
  EXPECT_EQ(forest.vertex_count(), 2U);
  EXPECT_EQ(forest.node_count(), 8U);
  EXPECT_EQ(forest.tree(2), forest.tree(0));
  EXPECT_EQ(forest.tree(3), forest.tree(1));
}

TEST(ForestVertices, AreAddedWithoutTrees) {
  Forest source;
  source.add(tree("(S(NP(dog))(VP(dog)(cat)))"));
  source.add(tree("(S(VP(cat)(dog)))"));
  const VertexId noun_phrase = source.root(source.add(tree("(NP(dog))")));
  for (const bool ordered : {true, false}) {
    for (const bool empty : {true, false}) {
      Forest forest(ForestOptions{.ordered = ordered});
      if (!empty) forest.add(tree("(VP(cat)(dog))"));
      const std::size_t trees = forest.tree_count();
      const auto there = forest.add_vertices(source);
      ASSERT_EQ(there.size(), source.vertex_count());
      EXPECT_EQ(forest.tree_count(), trees);
      EXPECT_EQ(forest.vertex_count(), source.vertex_count() - (ordered ? 0 : 1));
      for (VertexId v = 0; v < there.size(); ++v) {
        EXPECT_EQ(forest.labels().text(forest.label(there[v])),
                  source.labels().text(source.label(v)));
        EXPECT_EQ(forest.size(there[v]), source.size(v));
      }
      EXPECT_EQ(forest.find_vertices(source), there);
      // It may grow.
      EXPECT_EQ(forest.root(forest.add(tree("(NP(dog))"))), there[noun_phrase]);
      forest.add(tree("(NP(bird))"));
      EXPECT_EQ(forest.vertex_count(), source.vertex_count() + (ordered ? 2 : 1));
      EXPECT_EQ(forest.find_vertices(source), there);
    }
  }
}

TEST(ForestVertices, AreFoundOnlyIfTheyAreEqual) {
  Forest forest, other;
  forest.add(tree("(S(a)(b))"));
  other.add(tree("(S(a)(c))"));
  const auto found = forest.find_vertices(other);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(std::ranges::count(found, none), 2);  // c, S
}

TEST(Forest, CopiesAreIndependent) {
  Forest forest;
  forest.add(tree("(A(B))"));
  Forest copy = forest;
  copy.add(tree("(C(A(B)))"));
  EXPECT_EQ(copy.vertex_count(), 3U);
  EXPECT_EQ(copy.tree(0), tree("(A(B))"));
  EXPECT_EQ(forest.vertex_count(), 2U);
  EXPECT_EQ(forest.tree_count(), 1U);
}

}  // namespace
}  // namespace espalier
