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

TEST(KelpReader, ReadsLabels) {
  const struct {
    const char* line;
    Example example;
  } cases[] = {
      {"DESC |BT:t| (A) |ET|", ExampleOf().label("DESC").tree("t", "(A)")},
      {"|BT:t| (A) |ET|", ExampleOf().tree("t", "(A)")},
      {"A B C |BT:t| (A) |ET|", ExampleOf().label("A").label("B").label("C").tree("t", "(A)")},
      {"A|BT:t|(A)|ET|", ExampleOf().label("A").tree("t", "(A)")},
      {"score:3.5 |BT:t| (A) |ET|", ExampleOf().label(number(3.5, "score")).tree("t", "(A)")},
      {"a:b:-1 |BT:t| (A) |ET|", ExampleOf().label(number(-1, "a:b")).tree("t", "(A)")},
      {":2e3 |BT:t| (A) |ET|", ExampleOf().label(number(2000)).tree("t", "(A)")},
      {"DESC:manner |BT:t| (A) |ET|", ExampleOf().label("DESC:manner").tree("t", "(A)")},
      {"x:nano z: |BT:t| (A) |ET|", ExampleOf().label("x:nano").label("z:").tree("t", "(A)")},
      {"+1 |BT:t| (A) |ET|", ExampleOf().label("+1").tree("t", "(A)")},
      {"a\\ b c\\|d e\\n |BT:t| (A) |ET|",
       ExampleOf().label("a b").label("c|d").label("e\\n").tree("t", "(A)")},
      {"é木 |BT:t| (A) |ET|", ExampleOf().label("é木").tree("t", "(A)")},
      {" a\t b\\  ", ExampleOf().label("a").label("b ")},
      {"only labels", ExampleOf().label("only").label("labels")},
  };
  for (const auto& [line, example] : cases) EXPECT_EQ(parsed_one("klp", line), example) << line;
}

TEST(KelpReader, RefusesNumbersThatAreNotFinite) {
  for (const char* number : {"nan", "-NaN", "inf", "1e999"}) {
    const std::string line = "A score:" + std::string(number) + " |BT:t| (A) |ET|";
    const test::Failure failure = test::failure_of([&] { parsed_one("klp", line); });
    EXPECT_EQ(failure.place(), "1:9");
    EXPECT_TRUE(test::contains(failure.message, "a number to be predicted is not finite"));
  }
}

TEST(KelpReader, ReadsRepresentations) {
  const struct {
    const char* line;
    Example example;
  } cases[] = {
      {"A |BT:grct| (A(b)(c)) |ET|", ExampleOf().label("A").tree("grct", "(A(b)(c))")},
      {"|BT:t| (A b (C d)) |ET|", ExampleOf().tree("t", "(A(b)(C(d)))")},
      {"|BT:t| (NN dog) |ET|", ExampleOf().tree("t", "(NN(dog))")},
      {"|BT:t| |ET| |BT:u||ET|", ExampleOf().tree("t", "").tree("u", "")},
      {"|BT:t| (SYNT##root(LEX##what::w)) |ET|",
       ExampleOf().tree("t", "(SYNT##root(LEX##what::w))")},
      {"|BT:t| (COMP##a<*::*,b::v>) |ET|", ExampleOf().tree("t", "(COMP##a<*::*,b::v>)")},
      {"|BT:t| (a|b(c)) |ET|", ExampleOf().tree("t", "(a|b(c))")},
      {"|BV:v| |EV|", ExampleOf().vector("v", sparse({}))},
      {"|BV:v| _?__.:1.0 a:b:2 |EV|", ExampleOf().vector("v", sparse({{"_?__.", 1}, {"a:b", 2}}))},
      {"|BDV:d| 1.0, 2.0;3 |EDV|", ExampleOf().vector("d", dense({1, 2, 3}))},
      {"|BDV:d| |EDV|", ExampleOf().vector("d", dense({}))},
      {"|BS:s| How did ? (x) |ES|", ExampleOf().text("s", "How did ? (x)")},
      {"|BS:s| \t a b \t |ES|", ExampleOf().text("s", "a b")},
      {"|BS:s||ES| |BS:u|  |ES|", ExampleOf().text("s", "").text("u", "")},
      {"|BS:s| a|b \\|E %d\\n |ES|", ExampleOf().text("s", "a|b |E %d\\n")},
      {"|BT:a:b c| (A) |ET|", ExampleOf().tree("a:b c", "(A)")},
      {"|BT:| (A) |ET|", ExampleOf().tree("", "(A)")},
  };
  for (const auto& [line, example] : cases) EXPECT_EQ(parsed_one("klp", line), example) << line;
}

TEST(KelpReader, NumbersRepresentationsWithoutAName) {
  EXPECT_EQ(parsed_one("klp",
                       "A |BT| (A) |ET| |BV| x:1 |EV| |BT:t| (B) |ET| |BS| words |ES| "
                       "|BDV| 1 |EDV|"),
            ExampleOf()
                .label("A")
                .tree("0", "(A)")
                .tree("t", "(B)")
                .vector("1", sparse({{"x", 1}}))
                .vector("4", dense({1}))
                .text("3", "words"));
}

TEST(KelpReader, ReadsPairs) {
  const Example plain =
      ExampleOf().label("yes").pair(ExampleOf().tree("t", "(A)"), ExampleOf().tree("t", "(B)"));
  EXPECT_EQ(parsed_one("klp", "yes |<| |BT:t| (A) |ET| |,| |BT:t| (B) |ET| |>|"), plain);
  EXPECT_EQ(parsed_one("klp", "yes|<||BT:t|(A)|ET||,||BT:t|(B)|ET||>|"), plain);
  EXPECT_EQ(parsed_one("klp", "|<| l:2 |BS:s| one |,| |ES| |,| m n |>| |BV:v| x:1 |EV|"),
            ExampleOf()
                .vector("v", sparse({{"x", 1}}))
                .pair(ExampleOf().label(number(2, "l")).text("s", "one |,|"),
                      ExampleOf().label("m").label("n")));
  EXPECT_EQ(parsed_one("klp", "|<||,||>|"), ExampleOf().pair({}, {}));
}

TEST(KelpReader, ReadsPairsWithinPairs) {
  EXPECT_EQ(parsed_one("klp",
                       "p |<| |<| a |,| |BT:t| (A) |ET| |>| |BV:v| x:1 |EV| |,| "
                       "|<| b |,| c |>| |>|"),
            ExampleOf().label("p").pair(
                ExampleOf()
                    .vector("v", sparse({{"x", 1}}))
                    .pair(ExampleOf().label("a"), ExampleOf().tree("t", "(A)")),
                ExampleOf().pair(ExampleOf().label("b"), ExampleOf().label("c"))));
}

TEST(KelpReader, LimitsTheDepthOfPairs) {
  std::string line = "x";
  for (int depth = 0; depth < 8; ++depth) line = "|<|" + line + "|,||>|";
  EXPECT_EQ(parsed("klp", line).size(), 1U);
  EXPECT_TRUE(
      fails_with("nested more than 8 deep", [&] { parsed("klp", "|<|" + line + "|,||>|"); }));
  std::string deep;
  for (int depth = 0; depth < 100'000; ++depth) deep += "|<|";
  EXPECT_TRUE(fails_with("nested more than 8 deep", [&] { parsed("klp", deep); }));
}

TEST(KelpReader, SkipsSequencesAndGraphsWithOneWarning) {
  const test::TempDir folder;
  const std::string path = folder.file("x.klp",
                                       "A |BSQ:q| (a)(b) |ESQ| |BT:t| (A) |ET| |BG:g| 1 2 |EG|\n"
                                       "B |BG| x |EG| |BT| (B) |ET|\n");
  std::vector<std::string> warnings;
  ReadOptions options;
  options.warn = [&](const std::string& line) { warnings.push_back(line); };
  const auto examples = test::examples_in(path, options);
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0], ExampleOf().label("A").tree("t", "(A)"));
  EXPECT_EQ(examples[1], ExampleOf().label("B").tree("1", "(B)"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(test::contains(warnings[0], path));
  EXPECT_TRUE(test::contains(warnings[0], "skipped"));
  EXPECT_EQ(test::examples_in(path), examples) << "without anyone to warn";
}

TEST(KelpReader, SkipsBlankLinesAndAcceptsBothLineEndings) {
  const auto examples =
      parsed("klp", "\xEF\xBB\xBF\n  \nA |BT:t| (A) |ET| \r\n\r\n\t\nB |BT:t| (B) |ET|");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0], ExampleOf().label("A").tree("t", "(A)"));
  EXPECT_EQ(examples[1], ExampleOf().label("B").tree("t", "(B)"));
}

TEST(KelpWriter, WritesLabelsTextsVectorsAndTrees) {
  EXPECT_EQ(printed("klp", {ExampleOf()
                                .label("A")
                                .label(number(3.5, "score"))
                                .tree("t", "(A(b|c))")
                                .vector("v", sparse({{"x y", 1}}))
                                .vector("d", dense({1, 2.5}))
                                .text("s", "How | did")}),
            "A score:3.5 |BS:s| How \\| did |ES| |BV:v| x\\ y:1 |EV| |BDV:d| 1 2.5 |EDV| "
            "|BT:t| (A(b\\|c)) |ET| \n");
}

TEST(KelpWriter, WritesPairs) {
  const Example pair = ExampleOf()
                           .label("yes")
                           .vector("v", sparse({}))
                           .pair(ExampleOf().tree("t", "(A)"), ExampleOf().label("B"));
  EXPECT_EQ(printed("klp", {pair}), "yes |<| |BT:t| (A) |ET| |,| B |>| |BV:v|  |EV| \n");
  EXPECT_EQ(parsed_one("klp", printed("klp", {pair})), pair);
}

TEST(KelpWriter, RejectsWhatTheFormatCannotStore) {
  const auto write = [](const Example& example) { return [=] { printed("klp", {example}); }; };
  EXPECT_TRUE(fails_with("would not read back", write(ExampleOf().label(""))));
  EXPECT_TRUE(fails_with("class 'a:1' would not", write(ExampleOf().label("a:1"))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf().label("a\tb"))));
  EXPECT_TRUE(fails_with("holds a line end", write(ExampleOf().text("s", "a\nb"))));
  EXPECT_TRUE(fails_with("the name 'a|b'", write(ExampleOf().tree("a|b", "(A)"))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf().tree("t", "(A\tB)"))));
  EXPECT_TRUE(fails_with("holds a tab", write(ExampleOf().vector("v", sparse({{"a\tb", 1}})))));
}

TEST(KelpWriter, RejectsAnEmptyExample) {
  EXPECT_TRUE(fails_with("example 1: it is empty", [] { printed("klp", {Example()}); }));
}

TEST(KelpWriter, KeepsATrailingBlankInTheLastLabel) {
  const Example example = ExampleOf().label("a").label("b ");
  EXPECT_EQ(parsed_one("klp", printed("klp", {example})), example);
}

}  // namespace
}  // namespace espalier
