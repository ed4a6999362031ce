#pragma once

/// Marks a hot function that is built twice, for any x86-64 and for those with AVX2, the right one
/// chosen when the program starts. Without FMA, so that both give the same bits. Everything called
/// inside is inlined, or it would not profit.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ESPALIER_SIMD __attribute__((target_clones("avx2", "default"), flatten))
#define ESPALIER_HAS_SIMD 1
#else
#define ESPALIER_SIMD
#define ESPALIER_HAS_SIMD 0
#endif

/// Marks a function that is to be called only where there is AVX-512, which has FMA: for files that
/// are compiled with -ffp-contract=off.
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

/// Marks a hot loop over Lanes, which are vectors already: GCC would take several of them apart and
/// put them together anew, which takes three times as long.
#if defined(__GNUC__) && !defined(__clang__)
#define ESPALIER_LANE_LOOP __attribute__((optimize("no-tree-loop-vectorize")))
#else
#define ESPALIER_LANE_LOOP
#endif

/// For what is called inside a function with ESPALIER_SIMD.
#define ESPALIER_INLINE inline __attribute__((always_inline))
#define ESPALIER_INLINE_LAMBDA __attribute__((always_inline))
