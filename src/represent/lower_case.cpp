#include "represent/lower_case.hpp"

#include <cstdint>

#include "base/utf8.hpp"

namespace espalier {

namespace {

/// Upper-case letters from `first` to `last`, each `step` apart; add `shift` for lower case.
struct Capitals {
  char32_t first;
  char32_t last;
  char32_t step;
  std::int32_t shift;
};

constexpr Capitals capitals[] = {
    {0xC0, 0xD6, 1, 32},     {0xD8, 0xDE, 1, 32},    // Latin 1
    {0x100, 0x12E, 2, 1},    {0x132, 0x136, 2, 1},   // Latin of central Europe
    {0x139, 0x147, 2, 1},    {0x14A, 0x176, 2, 1},   //
    {0x178, 0x178, 1, -121}, {0x179, 0x17D, 2, 1},   //
    {0x18F, 0x18F, 1, 202},  {0x1A0, 0x1A4, 2, 1},   // Azerbaijani, Vietnamese
    {0x1AF, 0x1AF, 1, 1},    {0x1CD, 0x1DB, 2, 1},   //
    {0x1DE, 0x1EE, 2, 1},    {0x1F8, 0x21E, 2, 1},   //
    {0x222, 0x232, 2, 1},    {0x386, 0x386, 1, 38},  // Greek
    {0x388, 0x38A, 1, 37},   {0x38C, 0x38C, 1, 64},  //
    {0x38E, 0x38F, 1, 63},   {0x391, 0x3A1, 1, 32},  //
    {0x3A3, 0x3AB, 1, 32},   {0x400, 0x40F, 1, 80},  // Cyrillic
    {0x410, 0x42F, 1, 32},   {0x460, 0x480, 2, 1},   //
    {0x48A, 0x4BE, 2, 1},    {0x4C1, 0x4CD, 2, 1},   //
    {0x4D0, 0x52E, 2, 1},    {0x531, 0x556, 1, 48},  // Armenian
    {0x1E00, 0x1E94, 2, 1},  {0x1EA0, 0x1EFE, 2, 1},
};

char32_t small_letter(char32_t letter) {
  if (letter < 0x80) return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
  if (letter > 0x1EFE) return letter;
  for (const Capitals& row : capitals) {
    if (letter >= row.first && letter <= row.last && (letter - row.first) % row.step == 0) {
      return letter + static_cast<char32_t>(row.shift);
    }
  }
  return letter;
}

}  // namespace

void append_lower_case(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Utf8Character character = decode_utf8(text);
    if (const char32_t small = small_letter(character.code); small != character.code) {
      append_utf8(out, small);
    } else {
      out += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
}

}  // namespace espalier
