#pragma once

/// Marks a hot function that is built twice, for any x86-64 and for those with AVX2, the right one
/// chosen when the program starts. Without FMA, so that both give the same bits. Everything called
/// inside is inlined, or it would not profit. WIDE ones are built for AVX-512 too, which has FMA:
/// for files that are compiled with -ffp-contract=off.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ESPALIER_SIMD __attribute__((target_clones("avx2", "default"), flatten))
#define ESPALIER_WIDE_SIMD __attribute__((target_clones("avx512f", "avx2", "default"), flatten))
#else
#define ESPALIER_SIMD
#define ESPALIER_WIDE_SIMD
#endif

/// For what is called inside such a function.
#define ESPALIER_INLINE inline __attribute__((always_inline))
#define ESPALIER_INLINE_LAMBDA __attribute__((always_inline))
