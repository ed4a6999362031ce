// Invalid inputs: each is reported in one line with location and reason.
#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/failure.hpp"
#include "support/files.hpp"

namespace espalier {
namespace {

using test::contains;
using test::gzipped;
using test::TempDir;

const std::string nul(1, '\0');

/// 6,000 valid lines, more than one block of input.
std::string many_lines() {
  std::string out;
  for (int i = 0; i < 6'000; ++i) out += "A\t(" + std::string(100, 'x') + ")\n";
  return out;
}

struct BadInput : test::Row {
  std::string format;  ///< empty: detected by content
  std::string content;
  const char* place = "";
  const char* message = "";
};

class BadInputTable : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTable, IsReportedWithFileLineAndColumn) {
  const TempDir folder;
  ReadOptions options;
  options.format = GetParam().format;
  for (const std::string& bytes : {GetParam().content, gzipped(GetParam().content)}) {
    const std::string path = folder.file("input", bytes);
    const test::Failure failure = test::failure_of([&] { read(path, options); });
    EXPECT_EQ(failure.place(), GetParam().place);
    EXPECT_TRUE(failure.message.starts_with(path + ":" + GetParam().place + ": "));
    EXPECT_TRUE(contains(failure.message, GetParam().message));
    EXPECT_EQ(failure.message.find('\n'), std::string::npos);
    EXPECT_LT(failure.message.size(), 400U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Any, BadInputTable,
    testing::Values(
        BadInput{{"EmptyFile"}, "", "", "1:1", "the file is empty"},
        BadInput{{"BlankFile"}, "", "\n  \r\n\t\n", "1:1", "the file is empty"},
        BadInput{{"OnlyAMark"}, "", "\xEF\xBB\xBF", "1:1", "the file is empty"},
        BadInput{{"EmptyFileOfANamedFormat"}, "klp", "", "1:1", "the file is empty"},
        BadInput{{"UnknownFormat"}, "", "hello\n", "1:1", "the format is not recognised"},
        BadInput{{"NulByteFirst"}, "", nul, "1:1", "a NUL byte"},
        BadInput{{"NulByte"}, "", "(A b)\n(C " + nul + "d)\n", "2:4", "a NUL byte"},
        BadInput{
            {"NulByteFarIntoTheFile"}, "", many_lines() + "A\t(B" + nul, "6001:5", "a NUL byte"}),
    test::RowName());

INSTANTIATE_TEST_SUITE_P(
    Penn, BadInputTable,
    testing::Values(
        BadInput{
            {"PennLacksABracket"}, "", "(A b)\n\n (C\n (d)\n", "3:2", "missing 1 closing bracket"},
        BadInput{{"PennHasABracketTooMany"}, "", "(A b)\n(C d))\n", "2:6", "a ')' without its '('"},
        BadInput{{"PennWordBetweenTrees"},
                 "",
                 "(A b)\n word (C d)\n",
                 "2:2",
                 "a tree begins with '(', near 'word (C d)'"},
        BadInput{{"PennWordAtTheEnd"}, "", "(A b) word", "1:7", "a tree begins with '('"},
        BadInput{{"PennWordFirst"}, "penn", "word", "1:1", "a tree begins with '('"},
        BadInput{
            {"PennHugeLabel"},
            "",
            "(A\n b (" + std::string(10'000'000, 'x') + "))",
            "2:5",
            "a label of more than 1048576 bytes; the option max-label sets this limit, near 'xxx"},
        BadInput{{"PennHugeOpenLabel"},
                 "",
                 "(" + std::string(10'000'000, 'x'),
                 "1:2",
                 "a label of more than 1048576 bytes"}),
    test::RowName());

INSTANTIATE_TEST_SUITE_P(
    Tsv, BadInputTable,
    testing::Values(
        BadInput{{"TsvLacksBrackets"},
                 "",
                 "A\t(S)\nB\t17\t(S (NP\n",
                 "2:6",
                 "missing 2 closing brackets"},
        BadInput{
            {"TsvHasABracketTooMany"}, "", "A\t(S)\nB\t(S))\n", "2:6", "a ')' without its '('"},
        BadInput{
            {"TsvTextAfterTheTree"}, "", "A\t(S) x\n", "1:7", "unexpected text after the tree"},
        BadInput{
            {"TsvWordInsteadOfATree"}, "", "A\t(S)\nB\tword\n", "2:3", "a tree begins with '('"},
        BadInput{{"TsvWithoutTab"}, "", "A\t(S)\nB (S)\n", "2:1", "a tree begins with '('"},
        BadInput{{"TsvFromWindows"},
                 "",
                 "A\t(S)\r\n\r\nB\t(S))\r\n",
                 "3:6",
                 "a ')' without its '(', near ')'"},
        BadInput{{"TsvAfterAMark"},
                 "",
                 "\xEF\xBB\xBF"
                 "A\t(S))\n",
                 "1:6",
                 "a ')' without its '('"},
        BadInput{{"TsvHugeLabel"},
                 "",
                 "A\t(" + std::string(10'000'000, 'x') + ")\n",
                 "1:4",
                 "a label of more than 1048576 bytes"}),
    test::RowName());

INSTANTIATE_TEST_SUITE_P(
    Kelp, BadInputTable,
    testing::Values(
        BadInput{{"KelpMissingEnd"}, "", "A |BT:t| (S)\n", "1:3", "missing |ET|"},
        BadInput{{"KelpWrongEnd"}, "", "A |BT:t| (S) |EV|\n", "1:14", "expected |ET|, near '|EV|'"},
        BadInput{{"KelpUnknownTag"},
                 "",
                 "A |BT:t| (S) |ET| |BX:x| y |EX|\n",
                 "1:19",
                 "unknown representation"},
        BadInput{{"KelpTagWithoutBar"}, "klp", "A |BT (S)\n", "1:3", "expected |BT|, |BV|"},
        BadInput{{"KelpEndWithoutBeginning"}, "klp", "A |ET|\n", "1:3", "expected |BT|, |BV|"},
        BadInput{{"KelpStrayBar"}, "klp", "A |\n", "1:3", "expected |BT|, |BV|"},
        BadInput{{"KelpWordAfterATree"}, "", "A |BT:t| (S) |ET| word\n", "1:19", "expected '|'"},
        BadInput{{"KelpTreeLacksABracket"},
                 "",
                 "A |BT:t| (S(NP) |ET|\n",
                 "1:10",
                 "missing 1 closing bracket"},
        BadInput{{"KelpTreeHasABracketTooMany"},
                 "",
                 "\nA |BT:t| (S)) |ET|\n",
                 "2:13",
                 "a ')' without its '('"},
        BadInput{{"KelpTwoTrees"}, "", "A |BT:t| (S)(S) |ET|\n", "1:13", "after the tree"},
        BadInput{{"KelpHugeLabel"},
                 "",
                 "A |BT:t| (S(" + std::string(10'000'000, 'x') + ")) |ET|\n",
                 "1:13",
                 "a label of more than 1048576 bytes"},
        BadInput{{"KelpWordAsNumber"},
                 "",
                 "A |BV:v| x:1 y:abc |EV|\n",
                 "1:16",
                 "not a finite number, near 'abc'"},
        BadInput{{"KelpNotANumber"}, "", "A |BV:v| x:nan |EV|\n", "1:12", "not a finite number"},
        BadInput{{"KelpInfinite"}, "", "A |BDV:v| 1 inf |EDV|\n", "1:13", "not a finite number"},
        BadInput{{"KelpTooLarge"}, "", "A |BDV:v| 1;1e999 |EDV|\n", "1:13", "not a finite number"},
        BadInput{{"KelpFeatureWithoutValue"}, "", "A |BV:v| x |EV|\n", "1:10", "feature:value"},
        BadInput{{"KelpPairNeverEnds"}, "", "A |<| a |,| b\n", "1:3", "is missing its |>|"},
        BadInput{{"KelpPairOfOne"}, "", "A |<| a |>|\n", "1:3", "is missing its |,|"},
        BadInput{{"KelpPairOfThree"}, "", "A |<| a |,| b |,| c |>|\n", "1:3", "is missing its |>|"},
        BadInput{{"KelpNestedPairNeverEnds"},
                 "",
                 "A |<| |<| a |,| b |,| c |>|\n",
                 "1:7",
                 "is missing its |>|"},
        BadInput{{"KelpPairEndsTwice"}, "", "A |<| a |,| b |>| |>|\n", "1:19", "without its |<|"},
        BadInput{
            {"KelpSecondPair"}, "", "A |<| a |,| b |>| |<| c |,| d |>|\n", "1:19", "a second pair"},
        BadInput{{"KelpLabelAfterAPair"}, "", "A |<| a |,| b |>| B\n", "1:19", "expected '|'"},
        BadInput{{"KelpCommaWithoutPair"}, "", "A |BS:s| x |ES| |,|\n", "1:17", "without its |<|"}),
    test::RowName());

INSTANTIATE_TEST_SUITE_P(
    SvmlightTk, BadInputTable,
    testing::Values(
        BadInput{{"SvmlightMissingEnd"}, "", "1 |BT| (S)\n", "1:3", "are missing their |ET|"},
        BadInput{{"SvmlightWrongEnd"}, "", "1 |BT| (S) |EV|\n", "1:12", "expected |BT| or |ET|"},
        BadInput{{"SvmlightVectorWithinTrees"},
                 "",
                 "1 |BT| (S) |BV| 1:1 |EV|\n",
                 "1:12",
                 "expected |BT| or |ET|"},
        BadInput{{"SvmlightTreeAfterVector"},
                 "",
                 "1 1:1 |BT| (S) |ET|\n",
                 "1:7",
                 "expected |BV| or |EV|"},
        BadInput{
            {"SvmlightTextAfterTheEnd"}, "", "1 1:1 |EV| 2:1\n", "1:7", "expected |BV| or |EV|"},
        BadInput{{"SvmlightUnknownTag"},
                 "",
                 "1 |BT| (S) |ET| |BX| 1:1\n",
                 "1:17",
                 "expected |BV| or |EV|"},
        BadInput{{"SvmlightTreeLacksABracket"},
                 "",
                 "1 |BT| (S (NP) |ET|\n",
                 "1:8",
                 "missing 1 closing bracket"},
        BadInput{{"SvmlightSecondTreeIsWrong"},
                 "",
                 "\n1 |BT| (S) |BT| (S)) |ET|\n",
                 "2:20",
                 "a ')' without its '('"},
        BadInput{{"SvmlightWordAsTarget"},
                 "",
                 "1 |BT| (S) |ET|\nx |BT| (S) |ET|\n",
                 "2:1",
                 "begins with a number"},
        BadInput{
            {"SvmlightTargetNotANumber"}, "", "1 1:1\nnan 1:1\n", "2:1", "begins with a number"},
        BadInput{
            {"SvmlightTargetTooLarge"}, "", "1 1:1\n1e999 1:1\n", "2:1", "begins with a number"},
        BadInput{
            {"SvmlightMissingTarget"}, "", "1 1:1\n|BT| (S) |ET|\n", "2:1", "begins with a number"},
        BadInput{{"SvmlightWordAsFeature"},
                 "",
                 "1 1:1 x:1\n",
                 "1:7",
                 "a feature must be a whole number"},
        BadInput{{"SvmlightNegativeFeature"},
                 "",
                 "1 1:1 -2:1\n",
                 "1:7",
                 "a feature must be a whole number"},
        BadInput{
            {"SvmlightEmptyFeature"}, "", "1 1:1 :1\n", "1:7", "a feature must be a whole number"},
        BadInput{{"SvmlightWordAsValue"}, "", "1 1:1 2:abc\n", "1:9", "not a finite number"},
        BadInput{{"SvmlightInfiniteValue"}, "", "1 1:1 2:inf |EV|\n", "1:9", "not a finite number"},
        BadInput{{"SvmlightNumberWithoutFeature"}, "", "1 1:1 7\n", "1:7", "feature:value"},
        BadInput{{"SvmlightHugeLabel"},
                 "",
                 "1 |BT| (S(" + std::string(10'000'000, 'x') + ")) |ET|\n",
                 "1:11",
                 "a label of more than 1048576 bytes"}),
    test::RowName());

TEST(BadFiles, AreReportedWithTheirName) {
  const TempDir folder;
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += "A\t(B" + std::to_string(i * i % 9973) + ")\n";
  const std::string packed = gzipped(content);
  std::string damaged = packed;
  damaged[damaged.size() / 2] ^= 0x55;
  const struct {
    std::string path;
    const char* message;
  } cases[] = {
      {folder.path("missing"), "No such file or directory"},
      {folder.path(), "it is a directory"},
      {folder.file("truncated.gz", packed.substr(0, packed.size() - 5)), "truncated"},
      {folder.file("half.gz", packed.substr(0, packed.size() / 2)), "truncated"},
      {folder.file("damaged.gz", damaged), "damaged"},
      {folder.file("header.gz", packed.substr(0, 10)), "truncated"},
  };
  for (const auto& [path, message] : cases) {
    const test::Failure failure = test::failure_of([&] { read(path); });
    EXPECT_TRUE(contains(failure.message, path));
    EXPECT_TRUE(contains(failure.message, message));
    EXPECT_EQ(failure.message.find('\n'), std::string::npos);
  }
}

TEST(LabelLimit, MayBeRaised) {
  const TempDir folder;
  ReadOptions options;
  options.limits.label = 20'000'000;
  const std::string label(10'000'000, 'x');
  const Dataset data = read(folder.file("x", "A\t(" + label + ")\n"), options);
  EXPECT_TRUE(data.forests()[0].value.tree(0).label(0) == label);
}

}  // namespace
}  // namespace espalier
