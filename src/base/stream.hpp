#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace espalier {

/// Copies numbers with non-temporal stores, for memory that is not read soon: whole cache lines are
/// written without being fetched first, which halves the traffic. Call streams_done() before
/// another thread reads them.
template <class T>
void stream_copy(const T* from, std::size_t size, T* to) {
#if defined(__SSE2__)
  constexpr std::size_t line = 64 / sizeof(T);
  const auto before = (64 - reinterpret_cast<std::uintptr_t>(to) % 64) % 64 / sizeof(T);
  std::size_t k = 0;
  for (; k < std::min<std::size_t>(before, size); ++k) to[k] = from[k];
  for (; k + line <= size; k += line) {
    const auto* const source = reinterpret_cast<const __m128i*>(from + k);
    auto* const target = reinterpret_cast<__m128i*>(to + k);
    for (int part = 0; part < 4; ++part) {
      _mm_stream_si128(target + part, _mm_loadu_si128(source + part));
    }
  }
  for (; k < size; ++k) to[k] = from[k];
#else
  std::copy_n(from, size, to);
#endif
}

inline void streams_done() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace espalier
