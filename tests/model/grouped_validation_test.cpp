#include <gtest/gtest.h>

#include <set>

#include "espalier/model/validation.hpp"
#include "model/toy_data.hpp"
#include "support/examples.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::toy_classes;

/// Questions with several answers each, some of them with identical trees.
Dataset grouped_answers() {
  Dataset out;
  for (int i = 0; i < 60; ++i) {
    const std::string tree = "(a (b x" + std::to_string(i < 50 ? i : i - 20) + "))";
    out.add(test::ExampleOf()
                .label(i % 3 == 0 ? "yes" : "no")
                .tree("t", tree)
                .text("question", "q" + std::to_string(i / 5)));
  }
  return out;
}

TEST(CrossValidation, KeepsGroupsAndDuplicatesTogether) {
  const Dataset data = grouped_answers();
  const ExampleGroups duplicates = example_groups(data, {});
  EXPECT_EQ(duplicates.duplicates, 10U);
  EXPECT_EQ(duplicates.count, 50U);
  EXPECT_EQ(example_groups(data, {.group_duplicates = false}).count, 60U);
  EXPECT_EQ(example_groups(data, {.groups = "question", .group_duplicates = false}).count, 12U);
  // Questions 10 and 11 have the trees of 6 and 7.
  const ExampleGroups both = example_groups(data, {.groups = "question"});
  EXPECT_EQ(both.count, 10U);
  EXPECT_EQ(both.group_of[50], both.group_of[30]);
  for (const SplitKind kind : {SplitKind::folds, SplitKind::random, SplitKind::leave_one_out}) {
    const ValidationOptions options{.split = kind, .folds = 4, .grouping = {.groups = "question"}};
    for (const Split& split : make_splits(make_targets(data), 60, options, both.group_of)) {
      std::set<std::uint32_t> train, test;
      for (const std::uint32_t i : split.train) train.insert(both.group_of[i]);
      for (const std::uint32_t i : split.test) EXPECT_FALSE(train.contains(both.group_of[i]));
    }
  }
  const ValidationResult result =
      cross_validate(Kernel("norm(st())"), data, {}, {.folds = 4, .grouping = {"question"}});
  EXPECT_EQ(result.pooled.groups.size(), 60U);
  EXPECT_EQ(result.pooled.positive, 1U);
  EXPECT_TRUE(Metric("map")(result.pooled));
  EXPECT_EQ(result.units.size(), 60U);
  EXPECT_TRUE(fails_with("folds = 11 is outside [2, 10], the number of groups", [&] {
    cross_validate(Kernel("st()"), data, {}, {.folds = 11, .grouping = {"question"}});
  }));
  EXPECT_TRUE(fails_with("no text named 'quest': they have question", [&] {
    cross_validate(Kernel("st()"), data, {}, {.grouping = {"quest"}});
  }));
  EXPECT_TRUE(fails_with("no class 'yess': did you mean 'yes'",
                         [&] { cross_validate(Kernel("st()"), data, {}, {.relevant = "yess"}); }));
}

TEST(CrossValidation, ComparesSettingsOnTheSameSplits) {
  const Dataset data = toy_classes({.count = 60, .seed = 3}, 4);
  const ValidationOptions folds{.folds = 5};
  const auto weak =
      cross_validate(Kernel("norm(st(t))"), data, {.classifier = {.cost = 1e-4}}, folds);
  const auto strong =
      cross_validate(Kernel("norm(st(t))"), data, {.classifier = {.cost = 10}}, folds);
  const Metric accuracy("accuracy");
  std::vector<double> differences;
  for (std::size_t s = 0; s < 5; ++s) {
    differences.push_back(accuracy.value(strong.splits[s]) - accuracy.value(weak.splits[s]));
  }
  std::vector<std::optional<SplitComparison>> found = {compare(strong, weak, accuracy)};
  adjust(found);
  EXPECT_NEAR(found[0]->difference, spread(differences).mean, 1e-12);
  EXPECT_NEAR(*found[0]->p_value, corrected_t_test(differences, 0.25)->p_value, 1e-12);
  EXPECT_NEAR(*found[0]->wilcoxon_p_value, wilcoxon(differences).p_value, 1e-12);
  EXPECT_EQ(found[0]->adjusted_p_value, found[0]->p_value);
  const auto others = cross_validate(Kernel("norm(st(t))"), data, {}, {.folds = 4});
  EXPECT_FALSE(compare(strong, others, accuracy));
  EXPECT_TRUE(strong.interval_of(accuracy));
  EXPECT_TRUE(cross_validate(Kernel("norm(st(t))"), data, {}, {.split = SplitKind::leave_one_out})
                  .interval_of(accuracy));
}

}  // namespace
}  // namespace espalier
