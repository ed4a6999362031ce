#pragma once

/// Marks a hot function that is compiled twice, for baseline x86-64 and for AVX2, and dispatched
/// when the program starts. Without FMA, so that both compute the same bits. All calls inside are
/// inlined, so that they are compiled for AVX2 too.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ESPALIER_SIMD __attribute__((target_clones("avx2", "default"), flatten))
#define ESPALIER_HAS_SIMD 1
#else
#define ESPALIER_SIMD
#define ESPALIER_HAS_SIMD 0
#endif

/// Marks a function that requires AVX-512, which has FMA: only for files compiled with
/// -ffp-contract=off.
#if ESPALIER_HAS_SIMD
#define ESPALIER_AVX512 __attribute__((target("avx512f"), flatten))
namespace espalier {
inline bool has_avx512() { return __builtin_cpu_supports("avx512f") != 0; }
}  // namespace espalier
#else
#define ESPALIER_AVX512
namespace espalier {
inline bool has_avx512() { return false; }
}  // namespace espalier
#endif

/// Marks a hot loop over Lanes, which are vectors already: GCC's loop vectoriser would shuffle
/// several of them, which takes three times as long.
#if defined(__GNUC__) && !defined(__clang__)
#define ESPALIER_LANE_LOOP __attribute__((optimize("no-tree-loop-vectorize")))
#else
#define ESPALIER_LANE_LOOP
#endif

/// For functions called inside a function with ESPALIER_SIMD.
#define ESPALIER_INLINE inline __attribute__((always_inline))
#define ESPALIER_INLINE_LAMBDA __attribute__((always_inline))
