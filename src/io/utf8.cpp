#include "io/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace espalier {

namespace {

/// The length of a character that begins with this byte; 0 if none does. The range of its second
/// byte (RFC 3629, section 4): it excludes overlong forms, surrogates and what is above U+10FFFF.
struct Lead {
  std::size_t length;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Lead lead(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte < 0xF0) {
    return {3, static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80),
            static_cast<unsigned char>(byte == 0xED ? 0x9F : 0xBF)};
  }
  if (byte > 0xF4) return {0};
  return {4, static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80),
          static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)};
}

/// How many of the bytes can be those of one character, from its first on.
std::size_t matching(std::string_view bytes, const Lead& first) {
  std::size_t at = 1;
  for (; at < std::min(first.length, bytes.size()); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    const bool fits =
        at == 1 ? byte >= first.low && byte <= first.high : byte >= 0x80 && byte <= 0xBF;
    if (!fits) break;
  }
  return at;
}

}  // namespace

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
    const Lead first = lead(static_cast<unsigned char>(bytes[at]));
    if (first.length == 0 || matching(bytes.substr(at), first) < first.length) break;
    at += first.length;
  }
  return at;
}

bool cut_off_utf8(std::string_view bytes) {
  const Lead first = lead(static_cast<unsigned char>(bytes[0]));
  return bytes.size() < first.length && matching(bytes, first) == bytes.size();
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
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

}  // namespace espalier
