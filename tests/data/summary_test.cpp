#include "espalier/data/summary.hpp"

#include <gtest/gtest.h>

#include "support/examples.hpp"

namespace espalier {
namespace {

using test::dense;
using test::ExampleOf;
using test::number;
using test::sparse;

void expect_distribution(const Distribution& d, double min, double median, double mean, double p95,
                         double max) {
  EXPECT_DOUBLE_EQ(d.min, min);
  EXPECT_DOUBLE_EQ(d.median, median);
  EXPECT_DOUBLE_EQ(d.mean, mean);
  EXPECT_DOUBLE_EQ(d.p95, p95);
  EXPECT_DOUBLE_EQ(d.max, max);
}

TEST(Distribution, HandlesFewValues) {
  std::vector<double> values;
  expect_distribution(describe(values), 0, 0, 0, 0, 0);
  values = {7};
  expect_distribution(describe(values), 7, 7, 7, 7, 7);
  values = {9, -1};
  expect_distribution(describe(values), -1, -1, 4, 9, 9);
  values = {3, 1, 2};
  expect_distribution(describe(values), 1, 2, 2, 3, 3);
  values = {4, 4, 1, 1};
  expect_distribution(describe(values), 1, 1, 2.5, 4, 4);
}

TEST(Distribution, UsesNearestRankQuantiles) {
  for (std::size_t n = 1; n <= 1'000; ++n) {
    std::vector<double> values;
    for (std::size_t i = n; i >= 1; --i) values.push_back(static_cast<double>(i));
    const Distribution d = describe(values);
    ASSERT_EQ(d.median, static_cast<double>((n + 1) / 2)) << n;
    ASSERT_EQ(d.p95, static_cast<double>((95 * n + 99) / 100)) << n;  // rounded up
  }
}

TEST(Summary, OfAnEmptyDatasetIsZero) {
  const Summary summary = summarize(Dataset());
  EXPECT_EQ(summary.examples, 0U);
  EXPECT_FALSE(summary.pairs);
  EXPECT_TRUE(summary.classes.empty());
  EXPECT_TRUE(summary.trees.empty());
}

TEST(Summary, MatchesCountsByHand) {
  Dataset data;
  data.add(ExampleOf().label("B").tree("t", "(S(NP(dog))(VP(dog)(dog)))").text("s", "x"));
  data.add(ExampleOf()
               .label("A")
               .tree("t", "(S(NP(dog))(NP(dog)))")
               .vector("v", sparse({{"x", 1}, {"y", 1}}))
               .vector("d", dense({1, 2, 3})));
  data.add(ExampleOf().label("A").label("C").tree("t", "").vector("v", sparse({{"y", 1}})));
  data.add(ExampleOf().label(number(2, "score")).tree("t", "(dog)"));
  data.add(ExampleOf().label(number(5, "score")));
  data.add(ExampleOf());
  const Summary summary = summarize(data);

  EXPECT_EQ(summary.examples, 6U);
  EXPECT_FALSE(summary.pairs);
  EXPECT_EQ(summary.unlabelled, 1U);
  ASSERT_EQ(summary.classes.size(), 3U);  // most frequent first, then in order of appearance
  const char* const names[] = {"A", "B", "C"};
  const std::uint64_t counts[] = {2, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(summary.classes[i].name, names[i]);
    EXPECT_EQ(summary.classes[i].examples, counts[i]);
  }
  ASSERT_EQ(summary.numbers.size(), 1U);
  EXPECT_EQ(summary.numbers[0].name, "score");
  expect_distribution(summary.numbers[0].values, 2, 2, 3.5, 5, 5);

  ASSERT_EQ(summary.trees.size(), 1U);
  const ForestSummary& t = summary.trees[0];
  EXPECT_EQ(t.name, "t");
  EXPECT_EQ(t.trees, 4U);
  EXPECT_EQ(t.nodes, 6U + 5U + 0U + 1U);
  EXPECT_EQ(t.distinct_subtrees, 5U);     // dog, NP, VP, two of S
  EXPECT_EQ(t.distinct_productions, 5U);  // dog, NP -> dog, VP -> dog dog, S -> NP VP, S -> NP NP
  EXPECT_EQ(t.distinct_labels, 4U);
  EXPECT_DOUBLE_EQ(t.compression, 12.0 / 5.0);
  expect_distribution(t.size, 0, 1, 3, 6, 6);
  expect_distribution(t.height, 0, 0, 1, 2, 2);
  expect_distribution(t.outdegree, 0, 0, 1, 2, 2);

  ASSERT_EQ(summary.vectors.size(), 2U);
  EXPECT_EQ(summary.vectors[0].name, "v");
  EXPECT_FALSE(summary.vectors[0].dense);
  EXPECT_EQ(summary.vectors[0].vectors, 2U);
  EXPECT_EQ(summary.vectors[0].features, 2U);
  EXPECT_EQ(summary.vectors[0].values, 3U);
  EXPECT_EQ(summary.vectors[1].name, "d");
  EXPECT_TRUE(summary.vectors[1].dense);
  EXPECT_EQ(summary.vectors[1].vectors, 1U);
  EXPECT_EQ(summary.vectors[1].features, 3U);
  EXPECT_EQ(summary.vectors[1].values, 3U);
  EXPECT_EQ(summary.texts, std::vector<std::string>{"s"});
}

TEST(Summary, ShowsPairsWithTheirMembers) {
  Dataset data;
  data.add(ExampleOf().label("yes").pair(
      ExampleOf().tree("t", "(A)").vector("v", sparse({{"x", 1}})).text("s", "one"),
      ExampleOf().tree("t", "(A(A))").text("s", "two")));
  const Summary summary = summarize(data);
  EXPECT_EQ(summary.examples, 1U);
  EXPECT_TRUE(summary.pairs);
  ASSERT_EQ(summary.trees.size(), 1U);
  EXPECT_EQ(summary.trees[0].name, "t");
  EXPECT_EQ(summary.trees[0].trees, 2U);
  EXPECT_EQ(summary.trees[0].nodes, 3U);
  EXPECT_EQ(summary.trees[0].distinct_subtrees, 2U);
  ASSERT_EQ(summary.vectors.size(), 1U);
  EXPECT_EQ(summary.vectors[0].name, "a/v");
  EXPECT_EQ(summary.texts, (std::vector<std::string>{"a/s", "b/s"}));
}

TEST(Summary, ListsEveryMemberInItsFields) {
  // Command line and Python print what fields() lists: a member missing there would be lost.
  const auto count = [](const auto& summary) {
    int fields = 0;
    summary.fields([&](const char*, const auto&) { ++fields; });
    return fields;
  };
  EXPECT_EQ(count(Distribution()), 5);
  EXPECT_EQ(count(ClassSummary()), 2);
  EXPECT_EQ(count(NumberSummary()), 2);
  EXPECT_EQ(count(ForestSummary()), 10);
  EXPECT_EQ(count(VectorSummary()), 5);
  EXPECT_EQ(count(Summary()), 8);
}

}  // namespace
}  // namespace espalier
