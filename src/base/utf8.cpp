#include "base/utf8.hpp"

#include <cstring>

namespace espalier {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Utf8Character decode_utf8(std::string_view text) {
  using enum Utf8Character::Status;
  if (text.empty()) return {.status = truncated};
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1, valid};
  if (first < 0xC2 || first > 0xF4) return {};
  const unsigned length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  char32_t code = first & (0x7Fu >> length);
  for (unsigned at = 1; at < length; ++at) {
    if (at == text.size()) return {.status = truncated};
    if (!is_continuation(text[at])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[at]) & 0x3Fu);
    // The second byte decides: the bits to come cannot lead out of or into these ranges.
    const char32_t least = code << 6 * (length - 1 - at);
    const bool surrogate = least >= 0xD800 && least < 0xE000;
    if (least < smallest[length] || surrogate || least > 0x10FFFF) return {};
  }
  return {code, length, valid};
}

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
    return;
  }
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

std::size_t valid_utf8(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::uint64_t eight = 0;
    if (at + sizeof eight <= bytes.size()) {
      std::memcpy(&eight, bytes.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const Utf8Character character = decode_utf8(bytes.substr(at));
    if (character.status != Utf8Character::Status::valid) break;
    at += character.length;
  }
  return at;
}

std::size_t character_start(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  while (at > 0 && is_continuation(text[at])) --at;
  return at;
}

}  // namespace espalier
