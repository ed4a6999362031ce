#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

using Status = Utf8Character::Status;

TEST(Utf8, DecodesEveryCharacterThatItEncodes) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code == 0xD800) code = 0xE000;
    std::string text;
    append_utf8(text, code);
    const Utf8Character character = decode_utf8(text + "\x80");
    ASSERT_EQ(character.status, Status::valid) << std::uint32_t{code};
    ASSERT_EQ(character.code, code);
    ASSERT_EQ(character.length, text.size());
    for (std::size_t length = 1; length < text.size(); ++length) {
      ASSERT_EQ(decode_utf8(text.substr(0, length)).status, Status::truncated);
    }
  }
}

TEST(Utf8, RejectsWhatRfc3629DoesNotAllow) {
  for (const char* const text : {"\x80", "\xC0\xBC", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF",
                                 "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF",
                                 "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE6\x9Cz"}) {
    const Utf8Character character = decode_utf8(text);
    EXPECT_EQ(character.status, Status::invalid) << text;
    EXPECT_EQ(character.code, 0xFFFDu);
    EXPECT_EQ(character.length, 1u);
    EXPECT_EQ(valid_utf8("0123456789é" + std::string(text)), 12u);
  }
  // Already these two bytes cannot become a character.
  EXPECT_EQ(decode_utf8("\xED\xA0").status, Status::invalid);
  EXPECT_EQ(decode_utf8("\xF4\x90").status, Status::invalid);
}

TEST(Utf8, FindsWhereCharactersStart) {
  const std::string_view text = "aé木";
  EXPECT_EQ(character_start(text, 0), 0u);
  EXPECT_EQ(character_start(text, 2), 1u);
  EXPECT_EQ(character_start(text, 5), 3u);
  EXPECT_EQ(character_start(text, 6), 6u);
  EXPECT_EQ(character_start(text, 99), 6u);
}

}  // namespace
}  // namespace espalier
