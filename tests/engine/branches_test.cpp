#include "engine/subset_tree/branches.hpp"

#include <gtest/gtest.h>

#include "support/examples.hpp"

namespace espalier {
namespace {

/// The branches of the root of a tree.
std::vector<std::uint32_t> of_root(const Branches& branches, const Forest& forest, TreeId tree) {
  std::vector<std::uint32_t> out;
  const VertexId root = forest.root(tree);
  for (std::uint32_t place = 0; place < forest.children(root).size(); ++place) {
    out.push_back(branches.of(forest, root, place));
  }
  return out;
}

TEST(Branches, AreTheSameForEqualProductionsAtOnePlace) {
  Forest forest;
  const TreeId first = forest.add(test::tree("(S(N(a))(N(a))(V(see)))"));
  const TreeId same = forest.add(test::tree("(S(N(a(x)))(N(b))(V(see)))"));
  const TreeId other = forest.add(test::tree("(S(N(a))(N(a)))"));
  const Branches branches(forest);
  const auto a = of_root(branches, forest, first);
  const auto b = of_root(branches, forest, same);
  const auto c = of_root(branches, forest, other);
  EXPECT_NE(a[0], a[1]) << "another place";
  EXPECT_EQ(a[0], b[0]) << "what is below the child does not count";
  EXPECT_NE(a[1], b[1]) << "another production of the child";
  EXPECT_EQ(a[2], b[2]);
  EXPECT_NE(a[0], c[0]) << "another production of the parent";
  for (const std::uint32_t branch : {a[0], a[1], a[2], b[1], c[0], c[1]}) {
    EXPECT_LT(branch, branches.count());
  }
}

TEST(Branches, HaveSelectedLabelsOnly) {
  Forest forest;
  const TreeId tree = forest.add(test::tree("(S(N(a))(V(see))(N(a)))"));
  const Branches branches(forest, LabelSelection(forest.labels(), {"V", "unknown"}));
  const auto found = of_root(branches, forest, tree);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{none, 0, none}));
  // Of vertices that the forest did not have, too.
  const TreeId later = forest.add(test::tree("(S(N(b))(V(see))(N(a)))"));
  EXPECT_EQ(of_root(branches, forest, later), found);
}

TEST(Branches, HaveNoLeaves) {
  Forest forest;
  const TreeId tree = forest.add(test::tree("(S(N)(V(see)))"));
  const Branches branches(forest);
  EXPECT_EQ(of_root(branches, forest, tree)[0], none);
  EXPECT_NE(of_root(branches, forest, tree)[1], none);
  EXPECT_EQ(branches.count(), 1U);
}

TEST(Branches, AreFoundInAForestThatHasGrown) {
  Forest forest;
  const TreeId old = forest.add(test::tree("(S(N(a))(V(see)))"));
  const Branches branches(forest);
  const TreeId known = forest.add(test::tree("(S(N(a(new)))(V(see(new))))"));
  const TreeId half = forest.add(test::tree("(S(N(a))(V(hear)))"));
  EXPECT_EQ(of_root(branches, forest, known), of_root(branches, forest, old));
  EXPECT_EQ(of_root(branches, forest, half)[0], of_root(branches, forest, old)[0]);
  EXPECT_EQ(of_root(branches, forest, half)[1], none);
}

}  // namespace
}  // namespace espalier
