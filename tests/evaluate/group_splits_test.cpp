#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "espalier/base/random.hpp"
#include "espalier/evaluate/splits.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;

struct Grouped {
  std::vector<std::uint32_t> classes;
  std::vector<std::uint32_t> groups;
};

Grouped random_groups(std::size_t examples, std::uint32_t groups, std::uint64_t seed) {
  Random random(seed);
  Grouped out;
  for (std::size_t i = 0; i < examples; ++i) {
    out.classes.push_back(static_cast<std::uint32_t>(random.below(3)));
    // Squared: some groups are much larger than others.
    const std::uint64_t g = random.below(groups) * random.below(groups) / groups;
    out.groups.push_back(7 * static_cast<std::uint32_t>(g));
  }
  return out;
}

void expect_no_group_straddles(const Split& split, const Grouped& data) {
  std::set<std::uint32_t> train, test;
  for (const std::uint32_t i : split.train) train.insert(data.groups[i]);
  for (const std::uint32_t i : split.test) test.insert(data.groups[i]);
  std::vector<std::uint32_t> both;
  std::ranges::set_intersection(train, test, std::back_inserter(both));
  EXPECT_TRUE(both.empty());
  EXPECT_FALSE(train.empty() || test.empty());
  EXPECT_EQ(split.train.size() + split.test.size(), data.classes.size());
  EXPECT_TRUE(std::ranges::is_sorted(split.train) && std::ranges::is_sorted(split.test));
}

TEST(GroupSplits, NoGroupIsInBothParts) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const Grouped data = random_groups(40 + random.below(100),
                                       6 + static_cast<std::uint32_t>(random.below(30)), seed);
    const std::size_t folds = 2 + random.below(3);
    std::vector<int> tested(data.classes.size(), 0);
    for (const Split& split : stratified_group_k_fold(data.classes, data.groups, folds, seed)) {
      expect_no_group_straddles(split, data);
      for (const std::uint32_t i : split.test) ++tested[i];
    }
    EXPECT_EQ(tested, std::vector<int>(data.classes.size(), 1));
    const RandomSplitOptions options{0.3 + 0.5 * random.uniform(), 5, seed};
    for (const Split& split : random_group_splits(data.classes, data.groups, options)) {
      expect_no_group_straddles(split, data);
    }
    std::fill(tested.begin(), tested.end(), 0);
    for (const Split& split : leave_one_group_out(data.groups)) {
      expect_no_group_straddles(split, data);
      for (const std::uint32_t i : split.test) ++tested[i];
    }
    EXPECT_EQ(tested, std::vector<int>(data.classes.size(), 1));
  }
}

TEST(GroupSplits, AreBalancedWhereGroupsAllow) {
  Grouped data;
  for (std::uint32_t i = 0; i < 400; ++i) {  // 100 groups of 4, of one class each
    data.groups.push_back(i / 4);
    data.classes.push_back((i / 4) % 5 == 0 ? 1 : 0);
  }
  for (const Split& split : stratified_group_k_fold(data.classes, data.groups, 5, 3)) {
    EXPECT_EQ(split.test.size(), 80U);
    EXPECT_EQ(std::ranges::count_if(split.test, [&](auto i) { return data.classes[i] == 1; }), 16);
  }
  for (const Split& split : random_group_splits(data.classes, data.groups, {0.8, 20, 3})) {
    EXPECT_NEAR(static_cast<double>(split.test.size()), 80, 8);
    const auto ones =
        std::ranges::count_if(split.test, [&](auto i) { return data.classes[i] == 1; });
    EXPECT_NEAR(static_cast<double>(ones), 16, 4);
  }
}

TEST(GroupSplits, RandomSplitsTestEqualGroupsEquallyOften) {
  Grouped data;
  for (std::uint32_t i = 0; i < 60; ++i) {
    data.groups.push_back(i / 3);
    data.classes.push_back(0);
  }
  std::vector<int> tested(20, 0);
  for (const Split& split : random_group_splits(data.classes, data.groups, {0.75, 2000, 1})) {
    for (const std::uint32_t i : split.test) {
      if (i % 3 == 0) ++tested[i / 3];
    }
  }
  for (const int count : tested) EXPECT_NEAR(count, 500, 80);  // 4 standard deviations
}

TEST(GroupSplits, DependOnTheSeedAlone) {
  const Grouped data = random_groups(80, 20, 4);
  Grouped renamed = data;
  for (std::uint32_t& group : renamed.groups) group = 1000 - group;
  for (std::uint32_t& c : renamed.classes) c = 9 - c;
  const auto splits = stratified_group_k_fold(data.classes, data.groups, 4, 1);
  EXPECT_EQ(stratified_group_k_fold(renamed.classes, renamed.groups, 4, 1), splits);
  EXPECT_NE(stratified_group_k_fold(data.classes, data.groups, 4, 2), splits);
  const auto random = random_group_splits(data.classes, data.groups, {0.7, 3, 1});
  EXPECT_EQ(random_group_splits(renamed.classes, renamed.groups, {0.7, 3, 1}), random);
  EXPECT_NE(random[0], random[1]);
}

TEST(GroupSplits, NeedEnoughGroups) {
  const std::vector<std::uint32_t> classes(6, 0), one(6, 3), three = {0, 0, 1, 1, 2, 2};
  EXPECT_TRUE(fails_with("in one group", [&] { stratified_group_k_fold(classes, one, 2); }));
  EXPECT_TRUE(fails_with("in one group", [&] { leave_one_group_out(one); }));
  EXPECT_TRUE(fails_with("folds = 4 is outside [2, 3], the number of groups",
                         [&] { stratified_group_k_fold(classes, three, 4); }));
  EXPECT_EQ(stratified_group_k_fold(classes, three, 3).size(), 3U);
  for (const double fraction : {0.01, 0.99}) {
    for (const Split& split : random_group_splits(classes, three, {.train_fraction = fraction})) {
      EXPECT_EQ(split.test.size(), fraction > 0.5 ? 2U : 4U);
    }
  }
  EXPECT_TRUE(fails_with("groups for 6 examples, but 5", [&] {
    stratified_group_k_fold(std::vector<std::uint32_t>(5), three, 2);
  }));
}

}  // namespace
}  // namespace espalier
