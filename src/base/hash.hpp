#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace espalier::hash {

/// One step: folds the 128-bit product, so that every input bit affects every output bit.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline constexpr std::uint64_t key1 = 0x9E3779B97F4A7C15;
inline constexpr std::uint64_t key2 = 0xD1B54A32D192ED03;

/// Whether two strings of `size` bytes are equal. Labels are short: inlining beats a call of
/// memcmp.
inline bool equal(const char* a, const char* b, std::size_t size) {
  std::uint64_t x = 0, y = 0;
  for (; size >= 8; a += 8, b += 8, size -= 8) {
    std::memcpy(&x, a, 8);
    std::memcpy(&y, b, 8);
    if (x != y) return false;
  }
  for (; size > 0; ++a, ++b, --size) {
    if (*a != *b) return false;
  }
  return true;
}

/// Hash of a string of bytes. Depends on the byte order of the machine: never store it in a file
/// that other machines read.
inline std::uint64_t bytes(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t h = left * key1;
  std::uint64_t word = 0;
  for (; left >= 8; at += 8, left -= 8) {
    std::memcpy(&word, at, 8);
    h = mix(h ^ word ^ key1, key2);
  }
  // Two overlapping loads for the last bytes: a memcpy of variable length would be a call.
  word = 0;
  if (left >= 4) {
    std::uint32_t low = 0, high = 0;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + left - 4, 4);
    word = low | static_cast<std::uint64_t>(high) << 32;
  } else if (left > 0) {
    word = static_cast<unsigned char>(at[0]) |
           static_cast<std::uint64_t>(static_cast<unsigned char>(at[left / 2])) << 8 |
           static_cast<std::uint64_t>(static_cast<unsigned char>(at[left - 1])) << 16;
  }
  return mix(h ^ word ^ key2, key1);
}

/// Hash of a label and a sequence below it: of ids, or of hashes.
template <class Values>
std::uint64_t sequence(std::uint32_t label, const Values& below) {
  std::uint64_t h = mix(label ^ key1, below.size() ^ key2);
  for (const auto value : below) h = mix(h ^ value, key1);
  return mix(h ^ key2, key2);
}

/// The same for a multiset.
template <class Values>
std::uint64_t multiset(std::uint32_t label, const Values& below) {
  std::uint64_t sum = mix(label ^ key1, below.size() ^ key2);
  for (const auto value : below) sum += mix(value ^ key2, key1);
  return mix(sum ^ key2, key2);
}

}  // namespace espalier::hash
