// Building a function for several instruction sets, so that the one for this processor is chosen when the kernel runs.
//
// Kernels are compiled for every processor of a kind, which on x86-64 means vectors of 16 bytes. A loop that computes
// much is worth building again for wider ones:
//
//   OPSTUDIO_AVX2 void wide(…) { loop(…); }      // loop is OPSTUDIO_INLINE, and so is what it calls
//   const auto run = opstudio::has_avx2() ? wide : plain;
#ifndef OPSTUDIO_INSTRUCTION_SETS_H
#define OPSTUDIO_INSTRUCTION_SETS_H

#include "opstudio/compilation.h"

// Becomes part of its caller, and is compiled for the instructions of that.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define OPSTUDIO_INLINE inline __attribute__((always_inline))
#define OPSTUDIO_WIDE __attribute__((always_inline))  // of a lambda: [=](auto value) OPSTUDIO_WIDE { … }
#else
#define OPSTUDIO_INLINE inline
#define OPSTUDIO_WIDE
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define OPSTUDIO_HAS_WIDE_BUILDS 1
#define OPSTUDIO_PLAIN OPSTUDIO_BRIEF  // for the few processors without AVX2
#define OPSTUDIO_AVX2 __attribute__((target("avx2,fma")))
#define OPSTUDIO_AVX2_ALONE __attribute__((target("avx2")))
#if defined(__clang__)
#define OPSTUDIO_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#else
#define OPSTUDIO_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
#else
#define OPSTUDIO_HAS_WIDE_BUILDS 0
#define OPSTUDIO_PLAIN
#endif

// Bytes of the widest vectors to use. Lower it to see what other processors would do.
#ifndef OPSTUDIO_WIDEST
#define OPSTUDIO_WIDEST 64
#endif

#if OPSTUDIO_HAS_WIDE_BUILDS
namespace opstudio {

inline bool has_avx2() {
  return OPSTUDIO_WIDEST >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

inline bool has_avx512() {
  return OPSTUDIO_WIDEST >= 64 && has_avx2() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

}  // namespace opstudio
#endif

#endif
