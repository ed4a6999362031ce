#include "explain/markup.hpp"

#include <gtest/gtest.h>

#include "explain/drawing.hpp"

namespace espalier {
namespace {

TEST(Markup, EscapesMarkupInText) {
  EXPECT_EQ(escaped_markup("</script><script>alert(1)</script>"),
            "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  EXPECT_EQ(escaped_markup("\"'&<>"), "&quot;&#39;&amp;&lt;&gt;");
  EXPECT_EQ(escaped_markup("é木😀\n"), "é木😀\n");
}

TEST(Markup, ReplacesControlCharactersAndInvalidUtf8) {
  constexpr const char* replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped_markup(std::string_view("\0", 1)), replacement);
  EXPECT_EQ(escaped_markup("\x01"), replacement);
  EXPECT_EQ(escaped_markup("\xFF"), replacement);
  EXPECT_EQ(escaped_markup("\xC0\xBC"), std::string(replacement) + replacement);  // overlong '<'
  EXPECT_EQ(escaped_markup("\xE2\x80\xAE"), replacement);  // reverses the direction of text
}

TEST(Markup, ShortensByCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab…");
  EXPECT_EQ(shortened("木木木木", 2), "木…");
  EXPECT_EQ(shortened("", 3), "");
}

TEST(Markup, FitsTextToAWidth) {
  const std::string text = "a rather long label for such a small place";
  EXPECT_LE(text_width(fitted(text, 11, 80), 11), 80);
  EXPECT_EQ(fitted("ab", 11, 80), "ab");
  EXPECT_EQ(fitted("abc", 11, 0), "…");
}

TEST(Drawing, WritesShortCoordinates) {
  EXPECT_EQ(coordinate(12), "12");
  EXPECT_EQ(coordinate(12.25), "12.3");
  EXPECT_EQ(coordinate(-0.01), "0");
}

}  // namespace
}  // namespace espalier
