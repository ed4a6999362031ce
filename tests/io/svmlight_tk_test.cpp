#include <gtest/gtest.h>

#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::dense;
using test::ExampleOf;
using test::fails_with;
using test::number;
using test::parsed;
using test::parsed_one;
using test::printed;
using test::sparse;

constexpr std::string_view format = "svmlight-tk";

TEST(SvmlightTkReader, ReadsTargets) {
  const struct {
    const char* line;
    Label label;
  } cases[] = {
      {"1 |BT| (A) |ET|", test::of_class("1")},
      {"+1 |BT| (A) |ET|", test::of_class("1")},
      {"-1 |BT| (A) |ET|", test::of_class("-1")},
      {"-1|BT| (A) |ET|", test::of_class("-1")},
      {"-1.0 |BT|(A)|ET|", test::of_class("-1")},
      {"0 |BT| (A) |ET|", test::of_class("0")},
      {"42\t|BT| (A) |ET|", test::of_class("42")},
      {"2.5 |BT| (A) |ET|", test::of_class("2.5")},
      {"  -1e-3 |BT| (A) |ET|", test::of_class("-0.001")},
  };
  for (const auto& [line, label] : cases) {
    EXPECT_EQ(parsed_one(format, line), ExampleOf().label(label).tree("0", "(A)")) << line;
  }
}

TEST(SvmlightTkReader, ReadsTreesAndVectors) {
  const auto one = [] { return ExampleOf().label("1"); };
  const struct {
    const char* line;
    Example example;
  } cases[] = {
      {"1", one()},
      {"1 |BT| (S (NP dog)) |ET|", one().tree("0", "(S(NP(dog)))")},
      {"1|BT|(A)|BT|(B(C))|ET|", one().tree("0", "(A)").tree("1", "(B(C))")},
      {"1 |BT| |ET|", one().tree("0", "")},
      {"1 |BT| |BT| (A) |BT||ET|", one().tree("0", "").tree("1", "(A)").tree("2", "")},
      {"1 |BT| (A) |ET| 1:0.5 7:2 |EV|",
       one().tree("0", "(A)").vector("0", sparse({{"1", 0.5}, {"7", 2}}))},
      {"1 |BT| (A) |ET| 1:0.5", one().tree("0", "(A)").vector("0", sparse({{"1", 0.5}}))},
      {"1 1:0.5 2:1e3", one().vector("0", sparse({{"1", 0.5}, {"2", 1000}}))},
      {"1 |BV| 1:2 |EV|", one().vector("0", sparse({{"1", 2}}))},
      {"1 1:2 |BV| 3:4 |BV| |BV| 5:6 |EV|", one()
                                                .vector("0", sparse({{"1", 2}}))
                                                .vector("1", sparse({{"3", 4}}))
                                                .vector("2", sparse({}))
                                                .vector("3", sparse({{"5", 6}}))},
      {"1 |BV| |BV| 1:2 |EV|", one().vector("0", sparse({})).vector("1", sparse({{"1", 2}}))},
      {"1 |BT| |ET| |BV| |EV|", one().tree("0", "").vector("0", sparse({}))},
      {"1 |BT| (a\\|b(#)) |ET|", one().tree("0", "(a|b(#))")},
      {"1 |BT| (A) |ET| 1:2 # a |comment| 3:4",
       one().tree("0", "(A)").vector("0", sparse({{"1", 2}}))},
      {"1 |BT| (A) |ET| # comment", one().tree("0", "(A)")},
      {"1 # comment", one()},
      {"1 qid:3 |BT| (A) |ET|", one().tree("0", "(A)").text("qid", "3")},
      {"1 qid:3 1:2 # x", one().vector("0", sparse({{"1", 2}})).text("qid", "3")},
  };
  for (const auto& [line, example] : cases) EXPECT_EQ(parsed_one(format, line), example) << line;
}

TEST(SvmlightTkReader, SkipsCommentsAndBlankLinesAndAcceptsBothLineEndings) {
  const auto examples = parsed(format,
                               "\xEF\xBB\xBF# made by hand\r\n\r\n1 |BT| (A) |ET|\r\n  \n"
                               "  # more\n-1 |BT| (B) |ET| 1:1 |EV|");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0], ExampleOf().label("1").tree("0", "(A)"));
  EXPECT_EQ(examples[1], ExampleOf().label("-1").tree("0", "(B)").vector("0", sparse({{"1", 1}})));
}

TEST(SvmlightTkWriter, WritesTargetTreesAndVectors) {
  EXPECT_EQ(printed(format, {ExampleOf()
                                 .label("1")
                                 .tree("x", "(S(NP(dog))(VP))")
                                 .tree("y", "")
                                 .vector("v", sparse({{"10", 1}, {"2", 0.5}}))
                                 .vector("w", dense({3, 4})),
                             ExampleOf().label(number(-0.5)).vector("v", sparse({})),
                             ExampleOf().label("2").text("qid", "7").tree("t", "(A)")}),
            "1 |BT| (S (NP (dog))(VP)) |BT|  |ET| 2:0.5 10:1 |BV| 1:3 2:4 |EV|\n"
            "-0.5 |BV|  |EV|\n"
            "2 qid:7 |BT| (A) |ET|\n");
}

TEST(SvmlightTkWriter, RejectsWhatTheFormatCannotStore) {
  const auto write = [](const Example& example) { return [=] { printed(format, {example}); }; };
  EXPECT_TRUE(fails_with("class 'DESC' is not a number", write(ExampleOf().label("DESC"))));
  EXPECT_TRUE(fails_with("a single target", write(ExampleOf().label("1").label("2"))));
  EXPECT_TRUE(fails_with("cannot store pairs", write(ExampleOf().label("1").pair({}, {}))));
  EXPECT_TRUE(fails_with("feature 'x' is not a whole number",
                         write(ExampleOf().label("1").vector("v", sparse({{"x", 1}})))));
  EXPECT_TRUE(fails_with("feature '-1' is not a whole number",
                         write(ExampleOf().label("1").vector("v", sparse({{"-1", 1}})))));
  EXPECT_TRUE(fails_with("feature '' is not a whole number",
                         write(ExampleOf().label("1").vector("v", sparse({{"", 1}})))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf().label("1").tree("t", "(A\tB)"))));
}

TEST(SvmlightTkWriter, KeepsGroupsWithBlanksAndBars) {
  const Example example = ExampleOf().label("1").text("qid", "a b|c\\").tree("0", "(A)");
  EXPECT_EQ(parsed_one(format, printed(format, {example})), example);
}

}  // namespace
}  // namespace espalier
