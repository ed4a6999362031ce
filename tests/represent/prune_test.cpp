#include "espalier/represent/prune.hpp"

#include <gtest/gtest.h>

#include "support/trees.hpp"

namespace espalier {
namespace {

using test::tree;

TEST(Prune, ByLabelRemovesWholeSubtrees) {
  const auto is_b = [](std::string_view label) { return label == "b"; };
  EXPECT_EQ(prune_labels(tree("(a(b(c)(d))(e(b)(f)))"), is_b), tree("(a(e(f)))"));
  EXPECT_EQ(prune_labels(tree("(b(a))"), is_b), tree(""));
  EXPECT_EQ(prune_labels(tree(""), is_b), tree(""));
}

TEST(Prune, ByDepth) {
  const Tree all = tree("(a(b(c(d)))(e))");
  EXPECT_EQ(prune_below(all, 0), tree("(a)"));
  EXPECT_EQ(prune_below(all, 2), tree("(a(b(c))(e))"));
  EXPECT_EQ(prune_below(all, 9), all);
}

TEST(Prune, ByDistanceFromAMark) {
  const Tree all = tree("(a(b(x-FE(c(d)))(e(f)))(g))");
  EXPECT_EQ(prune_far(all, is_marked_label, 0), tree("(a(b(x-FE)))"));
  EXPECT_EQ(prune_far(all, is_marked_label, 1), tree("(a(b(x-FE(c))))"));
  EXPECT_EQ(prune_far(all, is_marked_label, 2), tree("(a(b(x-FE(c(d)))(e)))"));
  EXPECT_EQ(prune_far(all, is_marked_label, 3), all);
  EXPECT_EQ(prune_far(tree("(a(b))"), is_marked_label, 5), tree(""));
}

TEST(Prune, RecognisesMarks) {
  for (const char* label : {"SYNT##x-FE", "SYNT##x-FE-LU", "POS##NN-LU", "SYNT##REL-x",
                            "COMP##x-FE<a::n,b::n>", "COMP##REL-x<a::n,b::n>", "NP-FE"}) {
    EXPECT_TRUE(is_marked_label(label)) << label;
  }
  for (const char* label : {"SYNT##x", "", "##", "COMP##x<a::n,b-FE>", "FE"}) {
    EXPECT_FALSE(is_marked_label(label)) << label;
  }
}

TEST(Prune, HandlesDeepTrees) {
  const Tree deep = test::path_tree(1'000'000);
  EXPECT_EQ(prune_below(deep, 10).size(), 11U);
  EXPECT_EQ(prune_far(
                deep, [](std::string_view) { return true; }, 0)
                .size(),
            deep.size());
}

}  // namespace
}  // namespace espalier
