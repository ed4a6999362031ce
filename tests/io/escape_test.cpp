#include "espalier/io/escape.hpp"

#include <gtest/gtest.h>

#include "support/cases.hpp"
#include "support/trees.hpp"

namespace espalier {
namespace {

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  append_escaped(out, text, special);
  return out;
}

std::string read_back(std::string_view raw, std::string_view special) {
  std::string scratch;
  return std::string(unescaped(raw, special, scratch));
}

constexpr std::string_view sets[] = {"() ", "() |", " |", "|", ""};

TEST(Escape, RoundTrips) {
  const std::vector<std::string> pieces = {"\\", "\\", "(", ")", " ", "|", "a", "n"};
  test::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random.text(pieces, 8);
    const std::string_view special = sets[random.below(std::size(sets))];
    const std::string raw = escaped(text, special);
    ASSERT_EQ(read_back(raw, special), text) << raw;
    // Whatever may follow ends the text, and nothing sooner does.
    for (const char next : special) ASSERT_EQ(find_special(raw + next, special), raw.size()) << raw;
    ASSERT_EQ(find_special(raw, special), raw.size()) << raw;
  }
}

TEST(Escape, WritesNoUnnecessaryBackslashes) {
  const struct {
    std::string text, raw;
  } cases[] = {
      {"", ""},           {"word", "word"},   {"a b", "a\\ b"}, {"(", "\\("},
      {"a\\b", "a\\b"},   {"%d\\n", "%d\\n"}, {"\\", "\\\\"},   {"a\\", "a\\\\"},
      {"\\(", "\\\\\\("}, {"\\\\n", "\\\\n"}, {"a|b", "a|b"},   {"木 é", "木\\ é"},
  };
  for (const auto& [text, raw] : cases) EXPECT_EQ(escaped(text, "() "), raw);
}

TEST(Escape, LeavesTextsOfOtherProgramsUnchanged) {
  const struct {
    std::string raw, text;
  } cases[] = {
      {"%d\\n", "%d\\n"}, {"9\\/11", "9\\/11"}, {"\\\\n", "\\\\n"},           {"\\", "\\"},
      {"a\\", "a\\"},     {"\\n\\t", "\\n\\t"}, {"C:\\dir\\x", "C:\\dir\\x"}, {"a\\(b", "a(b"},
      {"a\\\\", "a\\"},   {"\\*\\*", "\\*\\*"}, {"'\\0'", "'\\0'"},           {"a\\|b", "a\\|b"},
      {"a\\ \\)", "a )"},
  };
  for (const auto& [raw, text] : cases) EXPECT_EQ(read_back(raw, "() "), text) << raw;
}

TEST(Escape, ReturnsTheTextItselfIfNothingIsEscaped) {
  const std::string raw = "no escapes";
  std::string scratch;
  EXPECT_EQ(unescaped(raw, "()", scratch).data(), raw.data());
}

TEST(FindSpecial, SkipsEscapedCharacters) {
  const struct {
    std::string text;
    std::size_t begin, found;
  } cases[] = {
      {"ab", 0, 2},   {"a(b", 0, 1}, {"a\\(b", 0, 4}, {"a\\\\(b", 0, 3},  {"a\\\\\\(b)", 0, 6},
      {"(", 0, 0},    {"((", 1, 1},  {"a\\", 0, 2},   {"a\\\\", 0, 3},    {"a\\(", 0, 3},
      {"\\n(", 0, 2}, {"", 0, 0},    {"ab", 2, 2},    {"\\\\\\\\", 0, 4}, {"\\(\\)(", 0, 4},
  };
  for (const auto& [text, begin, found] : cases) {
    EXPECT_EQ(find_special(text, "()", begin), found) << text;
  }
}

}  // namespace
}  // namespace espalier
