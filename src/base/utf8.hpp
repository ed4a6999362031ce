#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

/// One character of UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above
/// U+10FFFF.
struct Utf8Character {
  enum class Status : std::uint8_t { valid, truncated, invalid };

  char32_t code = 0xFFFD;  ///< the replacement character unless valid
  std::size_t length = 1;  ///< in bytes; 1 unless valid
  Status status = Status::invalid;
};

/// Decodes the character at the beginning of `text`. Truncated: more bytes could make it valid.
Utf8Character decode_utf8(std::string_view text);

/// Appends a character. Requires code < 0x110000, no surrogate.
void append_utf8(std::string& out, char32_t code);

/// Number of bytes at the beginning that are valid UTF-8, in whole characters. Linear.
std::size_t valid_utf8(std::string_view bytes);

/// The largest position up to `at` where a character begins or the text ends.
std::size_t character_start(std::string_view text, std::size_t at);

}  // namespace espalier
