#include "kernel/row_branches.hpp"

#include <gtest/gtest.h>

#include <string>

#include "kernel/subset_tree_matcher.hpp"
#include "support/examples.hpp"

namespace espalier {
namespace {

/// Trees in a forest.
struct Questions {
  Forest forest;

  TreeId add(const std::string& brackets) { return forest.add(test::tree(brackets)); }
  /// All of them, each an example; until the next is added.
  Bags bags() const {
    Bags out(forest);
    for (TreeId tree = 0; tree < forest.tree_count(); ++tree) out.add(tree);
    return out;
  }
  Stems stems() const {
    const Bags all = bags();
    return {all, all};
  }
  /// Below the root of a tree, which has one child.
  VertexId below(TreeId tree) const { return forest.children(forest.root(tree))[0]; }
};

TEST(Stems, AreRootsWithOneChildThatIsNowhereElse) {
  Questions q;
  const TreeId plain = q.add("(r(s(a)(b)))");
  const TreeId again = q.add("(r(s(a)(b)))");
  const TreeId two = q.add("(r(s(c))(s(d)))");
  const TreeId elsewhere = q.add("(r(s(e)))");
  q.add("(x(y(s(e)))(z))");
  const TreeId alone = q.add("(r(s(f)))");
  q.add("(s(f))");
  const TreeId leaf = q.add("(r(g))");
  const Stems stems = q.stems();
  EXPECT_EQ(stems.root_above(q.below(plain)), q.forest.root(plain));
  EXPECT_EQ(stems.root_above(q.below(again)), q.forest.root(plain));
  EXPECT_TRUE(stems.is_root(q.forest, q.forest.root(plain)));
  EXPECT_EQ(stems.root_above(q.below(two)), none) << "has a brother";
  EXPECT_EQ(stems.root_above(q.below(elsewhere)), none) << "is in another tree";
  EXPECT_EQ(stems.root_above(q.below(alone)), none) << "is a tree itself";
  EXPECT_EQ(stems.root_above(q.below(leaf)), none) << "is a leaf";
}

TEST(Stems, AreNotOfOneHalfOfTheExamples) {
  Questions q;
  const TreeId tree = q.add("(r(s(a)))");
  const TreeId part = q.add("(s(a))");
  Bags rows(q.forest);
  rows.add(tree);
  Bags columns(q.forest);
  columns.add(part);
  EXPECT_FALSE(Stems(rows, rows).empty());
  EXPECT_TRUE(Stems(rows, columns).empty());
  EXPECT_TRUE(Stems(columns, rows).empty());
  EXPECT_EQ(Stems().root_above(q.below(tree)), none);
}

TEST(Stems, AreNotOfWeightedExamples) {
  Questions q;
  const TreeId tree = q.add("(r(s(a)))");
  const SparseWeights weights{{q.below(tree), q.forest.root(tree)}, {0.5, 0.5}};
  Bags model(q.forest);
  model.add(weights);
  EXPECT_FALSE(q.stems().empty());
  EXPECT_TRUE(Stems(q.bags(), model).empty());
}

TEST(Branches, OfStemsAreTheirOwn) {
  Questions q;
  const TreeId stem = q.add("(r(s(a(x))(b)))");
  const TreeId like = q.add("(r(s(a(y))(b)))");
  const TreeId other = q.add("(r(s(a(z))(b)))");
  q.add("(x(s(a(z))(b)))");
  const TreeId alone = q.add("(r(t(u(v))))");
  const Branches branches(q.forest, q.stems());
  const auto of = [&](TreeId tree) { return branches.of(q.forest, q.forest.root(tree), 0); };
  EXPECT_EQ(of(stem), of(like));
  EXPECT_NE(of(stem), of(other));
  EXPECT_EQ(branches.twin(of(stem)), of(other));
  EXPECT_EQ(branches.twin(of(other)), of(stem));
  EXPECT_EQ(branches.stem_above(q.forest, q.below(stem)), of(stem));
  EXPECT_EQ(branches.stem_above(q.forest, q.below(other)), none);
  EXPECT_FALSE(branches.is_settled(q.forest, q.forest.root(stem))) << "is compared with its twin";
  EXPECT_TRUE(branches.is_settled(q.forest, q.forest.root(alone)));
}

TEST(RowBranches, MoveWhatManyVerticesShareToSkeletons) {
  Questions q;
  std::vector<TreeId> trees;
  for (int i = 0; i < 20; ++i) {
    const std::string own = std::to_string(i);
    trees.push_back(q.add("(s(who(q(w)))(do(v(x" + own + ")))(end(?)))"));
  }
  const TreeId different = q.add("(s(what(q(w)))(do(v(y)))(end(?)))");
  const Branches branches(q.forest);
  const Bags bags = q.bags();
  RowIndex rows(bags, SubsetTreeMatcher<double>(0.5, &branches, nullptr));
  const std::size_t before = rows.vertices.size();
  const RowBranches found(rows, branches, true);
  ASSERT_EQ(rows.skeleton_count, 1U);
  const auto skeleton = static_cast<std::uint32_t>(before);
  EXPECT_EQ(found.of(skeleton).size(), 2U) << "who and the end";
  std::size_t users = 0;
  for (std::uint32_t v = 0; v < before; ++v) {
    if (rows.vertices[v].skeleton == none) continue;
    EXPECT_EQ(rows.vertices[v].skeleton, skeleton);
    EXPECT_EQ(found.of(v).size(), 1U) << "what is done";
    EXPECT_NE(rows.vertices[v].id, q.forest.root(different));
    ++users;
  }
  EXPECT_EQ(users, trees.size());
  const auto entries = rows.of(0);
  const auto at = std::ranges::find(entries, skeleton, &RowIndex::Entry::number);
  ASSERT_NE(at, entries.end());
  EXPECT_EQ(at->count, 1);
  EXPECT_FALSE(at->is_last);
  EXPECT_EQ(rows.vertices[entries.back().number].id, q.forest.root(trees[0])) << "comes after it";
  EXPECT_EQ(rows.vertices[skeleton].last, trees.size() - 1);
}

TEST(RowBranches, CountASkeletonAsOftenAsThoseThatHaveIt) {
  Questions q;
  for (int i = 0; i < 10; ++i) {
    const std::string own = std::to_string(i);
    const std::string one = "(s(who(w))(v(x" + own + ")))";
    q.add("(r" + one + one + "(s(who(w))(v(y" + own + "))))");
  }
  const Branches branches(q.forest);
  const Bags bags = q.bags();
  RowIndex rows(bags, SubsetTreeMatcher<double>(0.5, &branches, nullptr));
  const RowBranches found(rows, branches, true);
  ASSERT_EQ(rows.skeleton_count, 1U);
  const auto skeleton = static_cast<std::uint32_t>(rows.vertices.size() - 1);
  for (std::size_t i = 0; i < bags.size(); ++i) {
    std::size_t times = 0;
    for (const RowIndex::Entry& entry : rows.of(i)) {
      if (entry.number != skeleton) continue;
      ++times;
      EXPECT_EQ(entry.count, 3);
      EXPECT_EQ(entry.is_last, i + 1 == bags.size());
    }
    EXPECT_EQ(times, 1U);
  }
}

}  // namespace
}  // namespace espalier
