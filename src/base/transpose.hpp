#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "base/simd.hpp"

namespace espalier {

namespace transposing {

using Four = double __attribute__((vector_size(32)));

ESPALIER_INLINE void load(const double* from, Four& to) { std::memcpy(&to, from, sizeof(to)); }

/// Transposes a 4 x 4 block.
ESPALIER_INLINE void block(const double* from, std::size_t stride, double* const* to,
                           std::size_t at) {
  Four a, b, c, d;
  load(from, a);
  load(from + stride, b);
  load(from + 2 * stride, c);
  load(from + 3 * stride, d);
  const Four ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Four ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Four cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  const Four columns[4] = {__builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5),
                           __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5),
                           __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7),
                           __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7)};
  for (std::size_t k = 0; k < 4; ++k) std::memcpy(to[k] + at, &columns[k], sizeof(Four));
}

}  // namespace transposing

/// to[c][r] = from[r * stride + c].
template <class T>
ESPALIER_SIMD void transpose(const double* from, std::size_t stride, std::size_t rows, T* const* to,
                             std::size_t columns) {
  std::size_t r = 0;
  if constexpr (std::is_same_v<T, double>) {
    for (; r + 4 <= rows; r += 4) {
      const double* const row = from + r * stride;
      std::size_t c = 0;
      for (; c + 4 <= columns; c += 4) transposing::block(row + c, stride, to + c, r);
      for (; c < columns; ++c) {
        for (std::size_t k = 0; k < 4; ++k) to[c][r + k] = row[k * stride + c];
      }
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) to[c][r] = static_cast<T>(from[r * stride + c]);
  }
}

}  // namespace espalier
