// Real data sets, which are not part of this project. Skipped where they are not there.
#include <gtest/gtest.h>

#include "espalier/data/summary.hpp"
#include "support/files.hpp"
#include "support/shared_data.hpp"

namespace espalier {
namespace {

TEST(RealData, QuestionsHaveTheKnownNumbers) {
  const std::string path = test::shared_data("qc_kelp_train.klp.gz");
  ESPALIER_NEEDS_DATA(path);
  const auto reader = open_reader(path);
  Dataset data;
  const test::TempDir folder;
  std::vector<Example> first;
  for (Example example; reader->next(example);) {
    if (first.size() < 200) first.push_back(example);
    std::erase_if(example.trees, [](const auto& tree) { return tree.name != "grct"; });
    data.add(example);
  }
  const Summary summary = summarize(data);
  EXPECT_EQ(summary.examples, 5'452U);
  EXPECT_EQ(summary.unlabelled, 0U);
  EXPECT_EQ(summary.classes.size(), 6U);
  ASSERT_EQ(summary.trees.size(), 1U);
  EXPECT_EQ(summary.trees[0].trees, 5'452U);
  EXPECT_EQ(summary.trees[0].nodes, 129'483U);
  EXPECT_EQ(summary.trees[0].distinct_subtrees, 39'364U);
  EXPECT_EQ(summary.trees[0].size.max, 81);
  EXPECT_EQ(summary.trees[0].size.p95, 39);

  test::write_examples(first, folder.path("x.klp"));
  EXPECT_EQ(test::examples_in(folder.path("x.klp")), first);
  test::write_examples(first, folder.path("x.klp.gz"));
  EXPECT_EQ(test::examples_in(folder.path("x.klp.gz")), first);
}

TEST(RealData, SyntaxTreesRoundTrip) {
  const std::string path = test::shared_data("poj104.val.sexpr.gz");
  ESPALIER_NEEDS_DATA(path);
  const test::TempDir folder;
  write(read(path), folder.path("x.tsv"));
  Source before(path);
  Source after(folder.path("x.tsv"));
  std::size_t lines = 0;
  Text a, b;
  for (; before.next_line(a); ++lines) {
    ASSERT_TRUE(after.next_line(b));
    ASSERT_TRUE(a.bytes() == b.bytes()) << "line " << lines + 1;
  }
  EXPECT_EQ(lines, 2'599U);
  EXPECT_FALSE(after.next_line(b));
}

}  // namespace
}  // namespace espalier
