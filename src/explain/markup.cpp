#include "explain/markup.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace espalier {

namespace {

constexpr char32_t replacement = 0xFFFD;

/// Neither a control character nor one that reverses the direction of the text that follows.
bool is_printable(char32_t c) {
  const bool control = (c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0);
  const bool direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return !control && !direction && c != 0xFFFE && c != 0xFFFF;
}

/// Decodes the character at `at` and advances; U+FFFD for one that is not printable.
char32_t next_character(std::string_view text, std::size_t& at) {
  const Utf8Character character = decode_utf8(text.substr(at));
  at += character.length;
  return is_printable(character.code) ? character.code : replacement;
}

double character_width(char32_t c) {
  if (c >= 0x1100) return c == 0x2026 ? 0.9 : 1.05;  // most are full-width
  constexpr std::string_view narrow = "iIjl.,:;'|!()[]{}tfr /\\\"-";
  constexpr std::string_view wide = "mwMWGOQ@%&";
  if (c < 0x80 && narrow.find(static_cast<char>(c)) != narrow.npos) return 0.41;
  if (c < 0x80 && wide.find(static_cast<char>(c)) != wide.npos) return 0.92;
  return c < 0x80 && c >= 'A' && c <= 'Z' ? 0.71 : 0.62;
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    switch (const char32_t c = next_character(text, at); c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case replacement:
        out += "\xEF\xBF\xBD";
        break;
      default:
        out += text.substr(begin, at - begin);
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t at = 0, kept = 0;
  for (std::size_t characters = 0; at < text.size(); ++characters) {
    if (characters + 1 == most) kept = at;
    if (characters == most) return std::string(text.substr(0, kept)) + "…";
    next_character(text, at);
  }
  return std::string(text);
}

double text_width(std::string_view text, double font_size) {
  double width = 0;
  for (std::size_t at = 0; at < text.size();) width += character_width(next_character(text, at));
  return width * font_size;
}

std::string fitted(std::string_view text, double font_size, double width) {
  // Each character is wider than a quarter of the font size.
  std::size_t most = std::min(text.size(), static_cast<std::size_t>(4 * width / font_size) + 1);
  std::string out = shortened(text, std::max<std::size_t>(most, 1));
  while (most > 1 && text_width(out, font_size) > width) out = shortened(text, --most);
  return out;
}

}  // namespace espalier
