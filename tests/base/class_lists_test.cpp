#include "espalier/base/class_lists.hpp"

#include <gtest/gtest.h>

#include "support/failure.hpp"

namespace espalier {
namespace {

using test::fails_with;
using Classes = std::vector<std::uint32_t>;
using Lists = std::vector<Classes>;

ClassLists lists(std::size_t class_count, const Lists& classes) {
  ClassLists out(class_count);
  for (const Classes& list : classes) out.add(list);
  return out;
}

Lists content(const ClassLists& lists) {
  Lists out;
  for (std::size_t i = 0; i < lists.size(); ++i) out.emplace_back(lists[i].begin(), lists[i].end());
  return out;
}

TEST(ClassLists, KeepsSeveralClassesOrNoneInTheGivenOrder) {
  const Lists classes = {{2, 0}, {}, {1}, {0, 1, 2}, {}};
  const auto given = lists(4, classes);
  EXPECT_EQ(content(given), classes);
  EXPECT_EQ(given.class_count(), 4U);
  EXPECT_EQ(given.class_sizes(), (std::vector<std::size_t>{2, 2, 2, 0}));
  EXPECT_TRUE(given.has(0, 0));
  EXPECT_FALSE(given.has(0, 1));
  EXPECT_FALSE(given.has(1, 0));
  EXPECT_FALSE(given.has(2, 7));
}

TEST(ClassLists, StartsWithoutExamples) {
  const ClassLists empty(2);
  EXPECT_EQ(empty.size(), 0U);
  EXPECT_TRUE(empty.single());
  EXPECT_EQ(empty.class_sizes(), (std::vector<std::size_t>{0, 0}));
}

TEST(ClassLists, IsSingleIfEachExampleHasOneClass) {
  ClassLists one(3);
  one.add(2);
  one.add(0);
  EXPECT_EQ(content(one), (Lists{{2}, {0}}));
  EXPECT_TRUE(one.single());
  EXPECT_FALSE(lists(3, {{0}, {}}).single());
  EXPECT_FALSE(lists(3, {{0, 1}, {2}}).single());
  EXPECT_FALSE(lists(3, {{0, 1}, {}}).single());
}

TEST(ClassLists, SelectsExamplesInAnyOrderAndSeveralTimes) {
  const auto part = lists(3, {{0}, {1, 2}, {}}).select(Classes{1, 2, 1});
  EXPECT_EQ(content(part), (Lists{{1, 2}, {}, {1, 2}}));
  EXPECT_EQ(part.class_count(), 3U);
}

TEST(ClassLists, SaysWhatIsWrong) {
  EXPECT_TRUE(fails_with("example 1 has class number 2, but there are 2 classes, from 0",
                         [] { lists(2, {{2}}); }));
  EXPECT_TRUE(fails_with("example 2 has class number 1 twice", [] { lists(2, {{0}, {1, 1}}); }));
  EXPECT_TRUE(fails_with("there is no example 1: only 1 have classes",
                         [] { lists(2, {{0}}).select(Classes{1}); }));
}

TEST(ClassLists, IsAsBeforeAfterARefusedExample) {
  auto given = lists(2, {{0}});
  EXPECT_TRUE(fails_with("class number 5", [&] { given.add(Classes{1, 5}); }));
  EXPECT_EQ(content(given), (Lists{{0}}));
}

}  // namespace
}  // namespace espalier
