#include "espalier/model/targets.hpp"

#include <gtest/gtest.h>

#include "support/examples.hpp"
#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using test::number;
using test::of_class;
using Names = std::vector<std::string>;
using Lists = std::vector<std::vector<std::uint32_t>>;
using Labels = std::vector<Label>;

Dataset with_labels(const std::vector<Labels>& all) {
  Dataset out;
  for (const Labels& labels : all) {
    Example example;
    example.labels = labels;
    out.add(example);
  }
  return out;
}

Dataset numbered(const std::vector<double>& all) {
  Dataset out;
  for (const double value : all) out.add(test::ExampleOf().label(number(value)));
  return out;
}

Lists lists_of(const Targets& targets) {
  Lists out;
  for (std::size_t i = 0; i < targets.classes.size(); ++i) {
    out.emplace_back(targets.classes[i].begin(), targets.classes[i].end());
  }
  return out;
}

TEST(Targets, ClassesAreOrderedByName) {
  const Targets targets = make_targets(
      with_labels({{of_class("b")}, {of_class("a")}, {of_class("b")}, {of_class("c")}}));
  EXPECT_EQ(targets.task, Task::classification);
  EXPECT_EQ(targets.names, (Names{"a", "b", "c"}));
  EXPECT_EQ(lists_of(targets), (Lists{{1}, {0}, {1}, {2}}));
  EXPECT_EQ(targets.classes.class_count(), 3U);
  EXPECT_FALSE(targets.multi_label());
  EXPECT_TRUE(targets.numbers.empty());
}

TEST(Targets, NumbersMeanRegression) {
  const Targets targets = make_targets(numbered({2.5, -1, 0, 1}));
  EXPECT_EQ(targets.task, Task::regression);
  EXPECT_EQ(targets.numbers, (std::vector<double>{2.5, -1, 0, 1}));
  EXPECT_TRUE(targets.names.empty());
  EXPECT_FALSE(targets.multi_label());
}

TEST(Targets, WholeNumbersAreClasses) {
  const Targets signs = make_targets(numbered({1, -1, 1}));
  EXPECT_EQ(signs.task, Task::classification);
  EXPECT_EQ(signs.names, (Names{"-1", "1"}));
  EXPECT_EQ(lists_of(signs), (Lists{{1}, {0}, {1}}));
  EXPECT_EQ(make_targets(numbered({4, 1, 3, 2})).names, (Names{"1", "2", "3", "4"}));
  EXPECT_EQ(make_targets(numbered({4, 1, 3, 2}), Task::regression).numbers,
            (std::vector<double>{4, 1, 3, 2}));
}

TEST(Targets, NumbersAsTextMeanTheSameAsNumbers) {
  const Targets targets = make_targets(with_labels({{of_class("2")}, {of_class("0.5")}}));
  EXPECT_EQ(targets.task, Task::regression);
  EXPECT_EQ(targets.numbers, (std::vector<double>{2, 0.5}));
  EXPECT_EQ(make_targets(with_labels({{of_class("2")}, {of_class("01")}})).names,
            (Names{"01", "2"}));
}

TEST(Targets, AreDescribed) {
  EXPECT_EQ(to_string(make_targets(with_labels({{of_class("a")}, {of_class("b")}}))),
            "classification, 2 classes");
  EXPECT_EQ(to_string(make_targets(numbered({0.5}))), "regression");
  EXPECT_EQ(to_string(make_targets(numbered({0.5}), Task::one_class)), "one-class");
}

TEST(Targets, TheTaskMayBeGiven) {
  EXPECT_EQ(make_targets(numbered({1, -1}), Task::regression).numbers,
            (std::vector<double>{1, -1}));
  const Targets classes = make_targets(numbered({2.5, 7, 2.5}), Task::classification);
  EXPECT_EQ(classes.names, (Names{"2.5", "7"}));
  EXPECT_EQ(lists_of(classes), (Lists{{0}, {1}, {0}}));
  // A number with a name is of that class.
  EXPECT_EQ(make_targets(with_labels({{number(3, "score")}}), Task::classification).names,
            Names{"score"});
}

TEST(Targets, OneClassNeedsNoLabels) {
  const Targets targets = make_targets(with_labels({{}, {of_class("a")}}), Task::one_class);
  EXPECT_EQ(targets.task, Task::one_class);
  EXPECT_TRUE(targets.names.empty());
  EXPECT_FALSE(targets.multi_label());
}

TEST(Targets, SupportMultiLabelData) {
  const Targets targets = make_targets(
      with_labels({{of_class("a")}, {of_class("b"), of_class("a")}, {}, {of_class("b")}}));
  EXPECT_EQ(targets.names, (Names{"a", "b"}));
  EXPECT_EQ(lists_of(targets), (Lists{{0}, {1, 0}, {}, {1}}));
  EXPECT_TRUE(targets.multi_label());
}

TEST(Targets, ARepeatedLabelCountsOnce) {
  const Targets targets =
      make_targets(with_labels({{of_class("a"), of_class("a")}, {of_class("b")}}));
  EXPECT_EQ(lists_of(targets), (Lists{{0}, {1}}));
  EXPECT_FALSE(targets.multi_label());
}

TEST(Targets, MissingLabelIsAnErrorThatNamesTheExample) {
  EXPECT_TRUE(fails_with("example 2 has no label", [] {
    make_targets(with_labels({{of_class("a")}, {}, {of_class("b")}}));
  }));
  EXPECT_TRUE(fails_with("example 3 needs one number", [] {
    make_targets(with_labels({{number(3.5)}, {number(4)}, {}}));
  }));
  EXPECT_TRUE(fails_with("example 1 needs one number", [] {
    make_targets(with_labels({{number(3), number(4)}}), Task::regression);
  }));
  EXPECT_TRUE(fails_with("example 2 needs one number", [] {
    make_targets(with_labels({{number(3)}, {of_class("a")}}), Task::regression);
  }));
}

TEST(Targets, WithoutLabelsIsAnError) {
  EXPECT_TRUE(fails_with("example 1", [] { make_targets(with_labels({{}, {}})); }));
}

TEST(Targets, HandleEmptyData) {
  const Targets targets = make_targets(Dataset());
  EXPECT_EQ(targets.classes.size(), 0U);
  EXPECT_TRUE(targets.names.empty());
}

TEST(Targets, NamesAndNumbersTogetherAreClasses) {
  const Targets targets = make_targets(with_labels({{of_class("a")}, {number(7)}}));
  EXPECT_EQ(targets.names, (Names{"7", "a"}));
}

TEST(Targets, KnownClassesComeFirst) {
  const Targets targets =
      make_targets(with_labels({{of_class("new")}, {of_class("b")}, {of_class("newer")}}),
                   Task::classification, {"a", "b"});
  EXPECT_EQ(targets.names, (Names{"a", "b", "new", "newer"}));
  EXPECT_EQ(lists_of(targets), (Lists{{2}, {1}, {3}}));
  EXPECT_EQ(targets.classes.class_count(), 4U);
}

}  // namespace
}  // namespace espalier
