#include "represent/lower_case.hpp"

#include <cstdint>

namespace espalier {

namespace {

/// Capital letters from `first` to `last`, each `step` apart; their small letters are `shift` away.
struct Capitals {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t shift;
};

// Only letters below 2^11, which take two bytes in UTF-8 as their small letters do, and the Latin
// letters of Vietnamese and others, which take three.
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

std::uint32_t small(std::uint32_t letter) {
  for (const Capitals& row : capitals) {
    if (letter >= row.first && letter <= row.last && (letter - row.first) % row.step == 0) {
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(letter) + row.shift);
    }
  }
  return letter;
}

}  // namespace

void append_lower_case(std::string& out, std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto append = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t first = byte(i);
    if (first >= 'A' && first <= 'Z') {
      append(first + 32);
    } else if ((first & 0xE0) == 0xC0 && follows(i + 1)) {
      const std::uint32_t letter = small((first & 0x1F) << 6 | (byte(++i) & 0x3F));
      append(0xC0 | letter >> 6);
      append(0x80 | (letter & 0x3F));
    } else if (first == 0xE1 && follows(i + 1) && follows(i + 2)) {
      const std::uint32_t letter = small(0x1000 | (byte(i + 1) & 0x3F) << 6 | (byte(i + 2) & 0x3F));
      append(first);
      append(0x80 | (letter >> 6 & 0x3F));
      append(0x80 | (letter & 0x3F));
      i += 2;
    } else {
      append(first);
    }
  }
}

}  // namespace espalier
