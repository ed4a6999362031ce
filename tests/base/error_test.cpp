#include "espalier/base/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace espalier {
namespace {

TEST(InputErrorText, NamesPlaceMessageAndOffendingText) {
  const InputError error({"trees.tsv", 3, 14}, "unexpected text after the tree", "x y");
  EXPECT_STREQ(error.what(), "trees.tsv:3:14: unexpected text after the tree, near 'x y'");
  EXPECT_EQ(error.location().file, "trees.tsv");
  EXPECT_EQ(error.location().line, 3U);
  EXPECT_EQ(error.location().column, 14U);
}

TEST(InputErrorText, LeavesOutTheOffendingTextWhenThereIsNone) {
  EXPECT_STREQ(InputError({"f", 1, 1}, "the file is empty").what(), "f:1:1: the file is empty");
}

TEST(InputErrorText, IsOneShortLineWhateverStandsInTheFile) {
  const std::string near = "a\nb\t" + std::string(1'000'000, 'x');
  const std::string what = InputError({"f", 1, 1}, "bad", near).what();
  EXPECT_EQ(what.find('\n'), std::string::npos);
  EXPECT_LT(what.size(), 100U);
}

TEST(InputErrorText, IsCaughtAsError) { EXPECT_THROW(throw InputError({"f", 1, 1}, "bad"), Error); }

TEST(InQuotes, ShowsTextsAsTheyAreAndControlCharactersInHexadecimal) {
  const struct {
    std::string text;
    std::string quoted;
  } cases[] = {
      {"", "''"},
      {"word", "'word'"},
      {"two words", "'two words'"},
      {"tab\there", "'tab\\x09here'"},
      {"line\r\n", "'line\\x0d\\x0a'"},
      {std::string("nul\0", 4), "'nul\\x00'"},
      {"\x1b[31m\x7f", "'\\x1b[31m\\x7f'"},
      {"日本é", "'日本é'"},
      {std::string(40, 'x'), "'" + std::string(40, 'x') + "'"},
      {std::string(41, 'x'), "'" + std::string(40, 'x') + "...'"},
  };
  for (const auto& [text, quoted] : cases) EXPECT_EQ(in_quotes(text), quoted);
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1b[2J\a\r\n\x7f"), "\\x1b[2J\\x07\\x0d\\x0a\\x7f");
  EXPECT_EQ(printable("\xc2\x9b[2J \xc2\xa0"), "\\x9b[2J \xc2\xa0");  // U+009B, U+00A0
  EXPECT_EQ(printable("two\nlines\t", "\n"), "two\nlines\\x09");
  EXPECT_EQ(printable("日本é \xff\xc2"), "日本é \xff\xc2");
  EXPECT_EQ(printable(""), "");
}

TEST(InQuotes, DoesNotCutCharactersOfSeveralBytes) {
  const struct {
    std::string character;
    std::size_t before;
    bool kept;
  } cases[] = {{"é", 38, true},   {"é", 39, false},  {"日", 37, true},
               {"日", 38, false}, {"日", 39, false}, {"😀", 36, true},
               {"😀", 37, false},  {"😀", 38, false},  {"😀", 39, false}};
  for (const auto& [character, before, kept] : cases) {
    const std::string start(before, 'x');
    EXPECT_EQ(in_quotes(start + character + "tail"),
              "'" + start + (kept ? character : "") + "...'");
  }
}

TEST(InQuotes, EndsOnBytesThatAreNoText) {
  EXPECT_EQ(in_quotes(std::string(100, '\x80')), "'...'");
}

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  const struct {
    std::string a, b;
    std::size_t distance;
  } cases[] = {
      {"", "", 0},         {"", "abc", 3},   {"abc", "abc", 0},
      {"abc", "abd", 1},   {"abc", "ac", 1}, {"kitten", "sitting", 3},
      {"flaw", "lawn", 2}, {"ab", "ba", 2},  {"abcdef", "azced", 3},
  };
  for (const auto& [a, b, distance] : cases) {
    EXPECT_EQ(edit_distance(a, b), distance) << a << " " << b;
    EXPECT_EQ(edit_distance(b, a), distance) << b << " " << a;
  }
}

TEST(Nearest, SuggestsWhatIsLikelyMeantAndNothingElse) {
  const std::vector<std::string> known = {"klp", "svmlight-tk", "tsv", "penn"};
  const struct {
    std::string word, suggestion;
  } cases[] = {
      {"pen", "penn"},
      {"peen", "penn"},
      {"klp", "klp"},
      {"klp2", "klp"},
      {"tvs", "tsv"},
      {"svmlight", "svmlight-tk"},
      {"svmlight_tk", "svmlight-tk"},
      {"newick", ""},
      {"svmlihgt-tk", "svmlight-tk"},
      {"", ""},
  };
  for (const auto& [word, suggestion] : cases) EXPECT_EQ(nearest(word, known), suggestion) << word;
}

TEST(Nearest, TakesTheFirstOfEquallyNearOnes) {
  EXPECT_EQ(nearest("ab", std::vector<std::string>{"xyz", "ac", "ad"}), "ac");
  EXPECT_EQ(nearest("ab", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace espalier
