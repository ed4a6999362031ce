#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::ExampleOf;
using test::fails_with;
using test::parsed;
using test::printed;

TEST(TsvReader, ReadsClassColumnsAndTree) {
  const struct {
    const char* why;
    const char* content;
    std::vector<Example> examples;
  } cases[] = {
      {"class and tree",
       "A\t(S (NP dog))\n",
       {ExampleOf().label("A").tree("tree", "(S(NP(dog)))")}},
      {"empty class", "\t(S)\n", {ExampleOf().tree("tree", "(S)")}},
      {"tree alone", "(S)\n", {ExampleOf().tree("tree", "(S)")}},
      {"id", "A\t17\t(S)", {ExampleOf().label("A").text("id", "17").tree("tree", "(S)")}},
      {"more columns",
       "A\t17\tmain.c\t\t(S)",
       {ExampleOf()
            .label("A")
            .text("id", "17")
            .text("column3", "main.c")
            .text("column4", "")
            .tree("tree", "(S)")}},
      {"class with blanks",
       "two words \t(S)",
       {ExampleOf().label("two words ").tree("tree", "(S)")}},
      {"class that looks like a number",
       "1:3.5\t(S)",
       {ExampleOf().label("1:3.5").tree("tree", "(S)")}},
      {"empty tree",
       "A\t\nB\t \n",
       {ExampleOf().label("A").tree("tree", ""), ExampleOf().label("B").tree("tree", "")}},
      {"nothing but a tab: no class and an empty tree",
       "A\t(S)\n\t\n\t7\t\n",
       {ExampleOf().label("A").tree("tree", "(S)"), ExampleOf().tree("tree", ""),
        ExampleOf().text("id", "7").tree("tree", "")}},
      {"line ends of Windows, blank lines",
       "A\t(S)\r\n\r\n  \r\nB\t(T)\r\n",
       {ExampleOf().label("A").tree("tree", "(S)"), ExampleOf().label("B").tree("tree", "(T)")}},
      {"byte order mark",
       "\xEF\xBB\xBF"
       "A\t(S)",
       {ExampleOf().label("A").tree("tree", "(S)")}},
      {"class that is not ASCII",
       "é木\t(é(木))",
       {ExampleOf().label("é木").tree("tree", "(é(木))")}},
      {"bars and backslashes",
       "a|b\\\t(a|b(%d\\n))",
       {ExampleOf().label("a|b\\").tree("tree", "(a|b(%d\\n))")}},
  };
  for (const auto& [why, content, examples] : cases) {
    EXPECT_EQ(parsed("tsv", content), examples) << why;
  }
}

TEST(TsvWriter, WritesOneExamplePerLine) {
  EXPECT_EQ(printed("tsv",
                    {ExampleOf().label("A").tree("t", "(S(NP(dog)))"), ExampleOf().tree("t", "(S)"),
                     ExampleOf().label("B").text("id", "7").text("x", "").tree("t", ""),
                     ExampleOf().label(test::number(1.5)).tree("t", "(S)")}),
            "A\t(S(NP(dog)))\n\t(S)\nB\t7\t\t\n1.5\t(S)\n");
}

TEST(TsvWriter, RejectsWhatTheFormatCannotStore) {
  const auto write = [](const Example& example) {
    return [=] { printed("tsv", {ExampleOf().tree("t", "(A)"), example}); };
  };
  const Example tree = ExampleOf().tree("t", "(A)");
  EXPECT_TRUE(fails_with("example 2: it has no tree", write(ExampleOf().label("A"))));
  EXPECT_TRUE(fails_with("a single class", write(ExampleOf(tree).label("A").label("B"))));
  EXPECT_TRUE(fails_with("cannot store a number with a name",
                         write(ExampleOf(tree).label(test::number(1.5, "score")))));
  EXPECT_TRUE(fails_with("(t, u)", write(ExampleOf(tree).tree("u", "(B)"))));
  EXPECT_TRUE(fails_with("no vectors", write(ExampleOf(tree).vector("v", {}))));
  EXPECT_TRUE(fails_with("cannot store pairs", write(ExampleOf().pair(tree, tree))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf(tree).label("A\tB"))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf(tree).text("s", "A\nB"))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf().tree("t", "(A\tB)"))));
}

}  // namespace
}  // namespace espalier
