// The forest against a naive map of subtree strings, on random trees.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "espalier/forest/forest.hpp"
#include "support/cases.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

using test::PlainTree;
using test::Random;
using test::to_plain;
using test::to_tree;

constexpr std::uint32_t seeds = 50;

/// What the naive forest knows about a subtree.
struct Subtree {
  std::uint32_t height = 0;
  std::uint32_t size = 0;
  std::string production;
  friend bool operator==(const Subtree&, const Subtree&) = default;
};

/// A map from the text of each distinct subtree to what is known about it.
class NaiveForest {
 public:
  explicit NaiveForest(ForestOptions options) : options_(options) {}

  void add(const PlainTree& tree) {
    counts_.emplace_back();
    visit(tree);
    nodes_ += tree.size();
  }

  /// A text that two trees share when they are the same under the options.
  std::string text(const PlainTree& tree) const {
    std::vector<std::string> below;
    for (const PlainTree& child : tree.children) below.push_back(text(child));
    return join(label(tree), below);
  }

  std::string production(const PlainTree& tree) const {
    std::vector<std::string> below;
    for (const PlainTree& child : tree.children) below.push_back(label(child));
    return join(label(tree), below);
  }

  const std::map<std::string, Subtree>& subtrees() const { return subtrees_; }
  /// Per tree: how often each subtree occurs.
  const std::vector<std::map<std::string, std::uint32_t>>& counts() const { return counts_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  void visit(const PlainTree& tree) {
    for (const PlainTree& child : tree.children) visit(child);
    const std::string key = text(tree);
    ++counts_.back()[key];
    subtrees_[key] = {tree.height(), tree.size(), production(tree)};
  }
  std::string label(const PlainTree& tree) const { return options_.labelled ? tree.label : ""; }
  std::string join(const std::string& label, std::vector<std::string> below) const {
    if (!options_.ordered) std::ranges::sort(below);
    std::string out = "[" + label;
    for (const std::string& child : below) out += "<" + child + ">";
    return out + "]";
  }

  ForestOptions options_;
  std::map<std::string, Subtree> subtrees_;
  std::vector<std::map<std::string, std::uint32_t>> counts_;
  std::uint64_t nodes_ = 0;
};

void expect_equal(const Forest& forest, const NaiveForest& naive) {
  ASSERT_EQ(forest.vertex_count(), naive.subtrees().size());
  ASSERT_EQ(forest.tree_count(), naive.counts().size());
  EXPECT_EQ(forest.node_count(), naive.nodes());

  std::vector<std::string> text;
  std::map<std::string, ProductionId> production_of;
  std::set<ProductionId> productions;
  for (VertexId v = 0; v < forest.vertex_count(); ++v) {
    const PlainTree plain = to_plain(forest.subtree(v));
    text.push_back(naive.text(plain));
    const auto known = naive.subtrees().find(text.back());
    ASSERT_NE(known, naive.subtrees().end()) << text.back();
    EXPECT_EQ(forest.height(v), known->second.height);
    EXPECT_EQ(forest.size(v), known->second.size);
    EXPECT_EQ(forest.labels().text(forest.label(v)), plain.label);
    EXPECT_EQ(forest.children(v).size(), plain.children.size());
    EXPECT_EQ(forest.is_leaf(v), plain.children.empty());
    for (const VertexId child : forest.children(v)) EXPECT_LT(child, v);
    // Equal productions, equal ids: a one-to-one map between them.
    const auto [entry, is_new] =
        production_of.emplace(known->second.production, forest.production(v));
    EXPECT_EQ(entry->second, forest.production(v));
    EXPECT_LT(forest.production(v), forest.production_count());
    productions.insert(forest.production(v));
  }
  EXPECT_EQ(std::set(text.begin(), text.end()).size(), text.size()) << "a subtree is there twice";
  EXPECT_EQ(productions.size(), production_of.size());
  EXPECT_EQ(forest.production_count(), production_of.size());

  for (TreeId t = 0; t < forest.tree_count(); ++t) {
    std::map<std::string, std::uint32_t> counts;
    VertexId before = none;
    for (const Occurrence& o : forest.occurrences(t)) {
      EXPECT_TRUE(before == none || before < o.vertex);
      before = o.vertex;
      counts[text[o.vertex]] += o.count;
    }
    EXPECT_EQ(counts, naive.counts()[t]);
    EXPECT_EQ(forest.occurrences(t).back(), (Occurrence{forest.root(t), 1}));
  }
}

struct Sharing : test::Row {
  ForestOptions options;
};

class ForestProperty : public testing::TestWithParam<Sharing> {
 protected:
  /// A few trees over few labels, so that subtrees recur.
  static std::vector<PlainTree> random_trees(std::uint32_t seed) {
    Random random(seed);
    const std::vector<std::string> labels(
        {"a", "b", "ab", "", "c", "cc", "long label of several words"});
    const std::size_t used = 1 + random.below(labels.size());
    std::vector<PlainTree> trees(1 + random.below(10));
    for (PlainTree& tree : trees) {
      tree = random.tree(30, [&] { return labels[random.below(used)]; });
    }
    return trees;
  }
  /// Runs the check on the trees of each seed.
  template <class Check>
  static void for_all_seeds(Check&& check) {
    for (std::uint32_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      check(random_trees(seed));
    }
  }
};

TEST_P(ForestProperty, EqualsANaiveForest) {
  for_all_seeds([](const std::vector<PlainTree>& trees) {
    Forest forest(GetParam().options);
    NaiveForest naive(GetParam().options);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      forest.add(to_tree(trees[i]));
      naive.add(trees[i]);
      if (i == trees.size() / 2) expect_equal(forest, naive);
    }
    expect_equal(forest, naive);
  });
}

TEST_P(ForestProperty, ReturnsTreesAsTheyWereAdded) {
  for_all_seeds([](const std::vector<PlainTree>& trees) {
    Forest forest(GetParam().options);
    const NaiveForest naive(GetParam().options);
    for (const PlainTree& tree : trees) forest.add(to_tree(tree));
    for (TreeId t = 0; t < trees.size(); ++t) {
      const Tree back = forest.tree(t);
      const bool lossless = GetParam().options == ForestOptions{};
      EXPECT_TRUE(!lossless || back == to_tree(trees[t]));
      EXPECT_EQ(naive.text(to_plain(back)), naive.text(trees[t]));
    }
  });
}

TEST_P(ForestProperty, MergingEqualsAddingAllTreesToOne) {
  for_all_seeds([](const std::vector<PlainTree>& trees) {
    NaiveForest naive(GetParam().options);
    Forest first(GetParam().options), second(GetParam().options);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      (i < trees.size() / 2 ? first : second).add(to_tree(trees[i]));
      naive.add(trees[i]);
    }
    const auto here = first.merge(second);
    expect_equal(first, naive);
    for (VertexId v = 0; v < second.vertex_count(); ++v) {
      EXPECT_EQ(naive.text(to_plain(first.subtree(here[v]))),
                naive.text(to_plain(second.subtree(v))));
    }
    // More can be added afterwards.
    first.add(to_tree(trees[0]));
    naive.add(trees[0]);
    expect_equal(first, naive);
  });
}

TEST_P(ForestProperty, MergingAnOrderedLabelledForestReducesIt) {
  for_all_seeds([](const std::vector<PlainTree>& trees) {
    NaiveForest naive(GetParam().options);
    Forest full, reduced(GetParam().options);
    for (const PlainTree& tree : trees) {
      full.add(to_tree(tree));
      naive.add(tree);
    }
    reduced.merge(full);
    expect_equal(reduced, naive);
  });
}

INSTANTIATE_TEST_SUITE_P(Options, ForestProperty,
                         testing::Values(Sharing{{"OrderedLabelled"}, {true, true}},
                                         Sharing{{"OrderedUnlabelled"}, {true, false}},
                                         Sharing{{"UnorderedLabelled"}, {false, true}},
                                         Sharing{{"UnorderedUnlabelled"}, {false, false}}),
                         test::RowName());

}  // namespace
}  // namespace espalier
