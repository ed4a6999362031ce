#pragma once

#include <cstdint>
#include <cstring>

#include "base/simd.hpp"

// Eight numbers at once, by the compiler's vector extension: one AVX2 register, two of SSE2 or
// NEON. All functions here are inlined into functions marked ESPALIER_SIMD.

namespace espalier::distributed {

using Lanes = float __attribute__((vector_size(32)));
using Words = std::uint32_t __attribute__((vector_size(32)));

inline constexpr std::size_t lane_count = 8;
inline constexpr std::uint32_t sign_bit = 0x80000000;

ESPALIER_INLINE Lanes load(const float* from) {
  Lanes out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
ESPALIER_INLINE Words load(const std::uint32_t* from) {
  Words out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
ESPALIER_INLINE void store(float* to, const Lanes& value) { std::memcpy(to, &value, sizeof value); }
ESPALIER_INLINE void store(std::uint32_t* to, const Words& value) {
  std::memcpy(to, &value, sizeof value);
}

/// 1 with the sign given by the highest bit of each word.
ESPALIER_INLINE Lanes signed_ones(const Words& words) {
  constexpr std::uint32_t one = 0x3F800000;
  return reinterpret_cast<Lanes>((words & sign_bit) | one);
}
/// The same, and shifts the words to the next block.
ESPALIER_INLINE Lanes next_signed_ones(Words& words) {
  const Lanes out = signed_ones(words);
  words += words;
  return out;
}

/// Left or right operand of a composition: each has its own shuffle.
enum Side : std::uint32_t { left_side = 0, right_side = 1 };

/// The components of a block in the order of that side.
template <Side side, class Vector>
ESPALIER_INLINE Vector shuffled_lanes(const Vector& v) {
  if constexpr (side == left_side) return __builtin_shufflevector(v, v, 2, 5, 0, 7, 1, 4, 3, 6);
  return __builtin_shufflevector(v, v, 4, 3, 6, 0, 7, 2, 1, 5);
}

}  // namespace espalier::distributed
