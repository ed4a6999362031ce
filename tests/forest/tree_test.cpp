#include "espalier/forest/tree.hpp"

#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::tree;

TEST(TreeBuilder, KeepsNodesInPreorder) {
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  builder.open("S");
  builder.leaf("NP");
  builder.open("VP");
  EXPECT_EQ(builder.depth(), 2U);
  builder.leaf("");
  builder.close();
  builder.close();
  EXPECT_EQ(builder.depth(), 0U);

  ASSERT_EQ(out.size(), 4U);
  const char* const labels[] = {"S", "NP", "VP", ""};
  const std::uint32_t children[] = {2, 0, 1, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(out.label(i), labels[i]);
    EXPECT_EQ(out.children(i), children[i]);
  }
}

TEST(TreeBuilder, RejectsASecondRoot) {
  Tree out;
  TreeBuilder builder;
  builder.start(out);
  builder.leaf("A");
  EXPECT_TRUE(test::fails_with("one root", [&] { builder.open("B"); }));
  EXPECT_TRUE(test::fails_with("one root", [&] { builder.leaf("B"); }));
  EXPECT_EQ(out, tree("(A)"));
}

TEST(TreeBuilder, CanBeReused) {
  Tree first, second;
  TreeBuilder builder;
  builder.start(first);
  builder.open("A");  // left open on purpose
  builder.start(second);
  EXPECT_EQ(builder.depth(), 0U);
  builder.leaf("B");
  EXPECT_EQ(first, tree("(A)"));
  EXPECT_EQ(second, tree("(B)"));
  builder.start(first);
  EXPECT_TRUE(first.empty());
  builder.leaf("C");
  EXPECT_EQ(first, tree("(C)"));
}

TEST(Tree, ComparesShapeAndLabels) {
  const char* const trees[] = {
      "",          "(A)",          "(B)",     "()",      "(A(B))",       "(A(B)(C))",   "(A(C)(B))",
      "(A(B(C)))", "(A(B)(C)(C))", "(A(BC))", "(AB(C))", "(A(B)(C(D)))", "(A(B(D))(C))"};
  for (const char* a : trees) {
    for (const char* b : trees) EXPECT_EQ(tree(a) == tree(b), a == b) << a << " " << b;
  }
}

TEST(Tree, DropsItsRoot) {
  Tree wrapped = tree("((S(NP)(VP(V))))");
  ASSERT_EQ(wrapped.children(0), 1U);
  wrapped.drop_root();
  EXPECT_EQ(wrapped, tree("(S(NP)(VP(V)))"));

  Tree named = tree("(ROOT(S(NP)))");
  named.drop_root();
  EXPECT_EQ(named, tree("(S(NP))"));
}

TEST(Tree, IsEmptyAfterClear) {
  Tree out = tree("(A(B))");
  EXPECT_FALSE(out.empty());
  out.clear();
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(out, Tree());
}

}  // namespace
}  // namespace espalier
