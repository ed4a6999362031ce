#include "espalier/engine/discriminance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/small_trees.hpp"

namespace espalier {
namespace {

constexpr std::uint32_t A = 0, B = 1, C = 2;

/// Two trees of each of three classes.
struct Sample {
  Forest forest;
  std::vector<TreeId> trees;
  ClassLists classes{3};

  explicit Sample(ForestOptions options = {}) : forest(options) {
    add("(r(a)(b))", A);
    add("(r(b)(a))", A);
    add("(r(a))", B);
    add("(r(c))", B);
    add("(r(d(a)))", C);
    add("(r(d(a)))", C);
  }
  void add(const char* text, std::uint32_t of_class) {
    trees.push_back(forest.add(test::tree(text)));
    classes.add(of_class);
  }
  Discriminance of(const char* subtree) {
    Forest one(forest.options());
    one.add(test::tree(subtree));
    std::vector<VertexId> all(one.vertex_count());
    for (VertexId v = 0; v < all.size(); ++v) all[v] = v;
    return discriminance(forest, trees, classes)[forest.find(one.list(all)).back()];
  }
};

void expect(const Discriminance& found, double distance, std::uint32_t speaks_for,
            bool by_absence) {
  EXPECT_NEAR(found.distance, distance, 1e-15);
  EXPECT_EQ(found.speaks_for, speaks_for);
  EXPECT_EQ(found.by_absence, by_absence);
}

TEST(Discriminance, IsWhatCountingByHandGives) {
  Sample sample;
  expect(sample.of("(a)"), 0.5, B, true);   // rho = (1, 1/2, 1), next to (1, 0, 1)
  expect(sample.of("(b)"), 0, A, false);    // (1, 0, 0)
  expect(sample.of("(c)"), 0.5, B, false);  // (0, 1/2, 0)
  expect(sample.of("(d(a))"), 0, C, false);
  expect(sample.of("(r(d(a)))"), 0, C, false);
  expect(sample.of("(r(a))"), 0.5, B, false);
  expect(sample.of("(r(a)(b))"), 0.5, A, false);
  expect(sample.of("(r(b)(a))"), 0.5, A, false);
}

TEST(Discriminance, SeesEqualSubtreesWhereOrderDoesNotCount) {
  Sample sample({.ordered = false});
  expect(sample.of("(r(b)(a))"), 0, A, false);
  expect(sample.of("(a)"), 0.5, B, true);
}

TEST(Discriminance, OfShapesGivesALeafNothingToSay) {
  Sample sample({.labelled = false});
  expect(sample.of("(x)"), 1, A, true);  // in every tree: (1, 1, 1), next to (0, 1, 1) and others
  EXPECT_EQ(discriminance_weight(WeightShape::smoothstep, sample.of("(x)").distance), 0);
  expect(sample.of("(x(x))"), 0, A, true);  // (0, 1, 1)
  expect(sample.of("(x(x(x)))"), 0, C, false);
  expect(sample.of("(x(x)(x))"), 0, A, false);
}

TEST(Discriminance, OfTwoClassesCannotTellPresenceInOneFromAbsenceInTheOther) {
  Forest forest;
  ClassLists classes(2);
  const std::vector<TreeId> trees = {forest.add(test::tree("(r(a))")),
                                     forest.add(test::tree("(r)"))};
  classes.add(0);
  classes.add(1);
  const auto found = discriminance(forest, trees, classes);
  expect(found[0], 0, 0, false);  // a
}

TEST(Discriminance, OfTwoClassesIsNotLeftToRounding) {
  // Shares in sevenths and ninths, which no double holds: with two classes presence goes first.
  for (std::size_t with = 1; with <= 7; ++with) {
    Forest forest;
    ClassLists classes(2);
    std::vector<TreeId> trees;
    for (std::size_t t = 0; t < 16; ++t) {
      const bool first = t < 7;
      const bool has = first ? t < with : t == 8;
      trees.push_back(forest.add(test::tree(has ? "(r(a))" : "(r)")));
      classes.add(first ? 0 : 1);
    }
    for (const Discriminance& found : discriminance(forest, trees, classes)) {
      EXPECT_FALSE(found.by_absence);
    }
  }
}

TEST(Discriminance, LeavesOutClassesWithoutTreesAndVerticesOutsideTheTrees) {
  Forest forest;
  const std::vector<TreeId> trees = {forest.add(test::tree("(r(a))")), none,
                                     forest.add(test::tree("(r(b))"))};
  forest.add(test::tree("(z)"));
  ClassLists classes(5);
  for (const std::uint32_t c : {3U, 3U, 1U}) classes.add(c);
  const auto found = discriminance(forest, trees, classes);
  expect(found[0], 0.5, 3, false);  // a, in one of two examples of class 3
  EXPECT_EQ(found.back().speaks_for, none);
  EXPECT_GE(found.back().distance, 1);
}

TEST(Discriminance, IsTheDistanceToTheNearestPointByTheDefinition) {
  test::Random random(7);
  for (int round = 0; round < 50; ++round) {
    const auto class_count = static_cast<std::uint32_t>(2 + random.below(5));
    Forest forest;
    std::vector<TreeId> trees;
    ClassLists classes(class_count);
    std::vector<double> sizes(class_count, 0);
    std::vector<std::uint32_t> of_tree;
    std::vector<Tree> small;
    for (const auto& tree : test::random_trees(random, 20, 6)) small.push_back(test::to_tree(tree));
    for (int t = 0; t < 20; ++t) {
      trees.push_back(forest.add(small[static_cast<std::size_t>(t)]));
      of_tree.push_back(static_cast<std::uint32_t>(random.below(class_count)));
      classes.add(of_tree.back());
      ++sizes[of_tree.back()];
    }
    const auto found = discriminance(forest, trees, classes);
    for (VertexId v = 0; v < forest.vertex_count(); ++v) {
      std::vector<double> rho;
      for (std::uint32_t k = 0; k < class_count; ++k) {
        if (sizes[k] == 0) continue;
        double with = 0;
        for (std::size_t t = 0; t < trees.size(); ++t) {
          bool has = false;
          for (const Occurrence& o : forest.occurrences(trees[t])) has |= o.vertex == v;
          with += has && of_tree[t] == k ? 1 : 0;
        }
        rho.push_back(with / sizes[k]);
      }
      double nearest = 1e9;
      for (std::size_t k = 0; k < rho.size(); ++k) {
        double presence = 0, absence = 0;
        for (std::size_t j = 0; j < rho.size(); ++j) {
          presence += std::pow(rho[j] - (j == k ? 1 : 0), 2);
          absence += std::pow(rho[j] - (j == k ? 0 : 1), 2);
        }
        nearest = std::min({nearest, std::sqrt(presence), std::sqrt(absence)});
      }
      EXPECT_NEAR(found[v].distance, nearest, 1e-7);
    }
  }
}

TEST(DiscriminanceWeight, RisesFromNothingToOne) {
  for (const auto shape : {WeightShape::identity, WeightShape::smoothstep, WeightShape::smoothstep2,
                           WeightShape::threshold}) {
    EXPECT_EQ(discriminance_weight(shape, 0), 1);
    EXPECT_EQ(discriminance_weight(shape, 1), 0);
    EXPECT_EQ(discriminance_weight(shape, 1.7), 0);
  }
  EXPECT_DOUBLE_EQ(discriminance_weight(WeightShape::identity, 0.75), 0.25);
  EXPECT_DOUBLE_EQ(discriminance_weight(WeightShape::smoothstep, 0.75), 3.0 / 16 - 2.0 / 64);
  const double once = 3.0 / 16 - 2.0 / 64;
  EXPECT_DOUBLE_EQ(discriminance_weight(WeightShape::smoothstep2, 0.75),
                   3 * once * once - 2 * once * once * once);
  EXPECT_EQ(discriminance_weight(WeightShape::threshold, 0.49), 1);
  EXPECT_EQ(discriminance_weight(WeightShape::threshold, 0.5), 0);
}

}  // namespace
}  // namespace espalier
