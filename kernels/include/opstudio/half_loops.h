// Conversion of many half numbers at a time by the processor's own instructions, where it has them.
//
// Kernels are compiled for every x86-64 processor, which leaves F16C out; these two functions are compiled for those that
// have it and chosen when the kernel runs. Compilers' builtins instead of <immintrin.h>: that header takes longer to
// compile than a small kernel.
#ifndef OPSTUDIO_HALF_LOOPS_H
#define OPSTUDIO_HALF_LOOPS_H

#include <cstdint>
#include <cstring>

#include "opstudio/compilation.h"
#include "opstudio/element_types.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#if defined(__clang__)
#define OPSTUDIO_F16C __attribute__((target("avx,f16c")))
#else
// O2 leaves the few halves behind the last eight in a plain loop.
#define OPSTUDIO_F16C __attribute__((target("avx,f16c"), optimize("O2")))
#endif

namespace opstudio::detail {

typedef short half_lanes __attribute__((vector_size(16)));
typedef float float_lanes __attribute__((vector_size(32)));
constexpr int64_t kHalfLanes = 8;

// Whether the processor has F16C: all that have AVX2 do, and compilers of any age can ask for that.
inline bool has_half_instructions() { return __builtin_cpu_supports("avx2"); }

OPSTUDIO_F16C OPSTUDIO_SHARED_LOOP void widen_halves(const void* from, int64_t length, void* buffer) {
  const auto* const halves = static_cast<const float16*>(from);
  auto* const values = static_cast<float*>(buffer);
  int64_t i = 0;
  for (; i + kHalfLanes <= length; i += kHalfLanes) {
    half_lanes packed;
    std::memcpy(&packed, halves + i, sizeof packed);
    const float_lanes wide = __builtin_ia32_vcvtph2ps256(packed);
    std::memcpy(values + i, &wide, sizeof wide);
  }
  for (; i < length; ++i) values[i] = float(halves[i]);
}

OPSTUDIO_F16C OPSTUDIO_SHARED_LOOP void narrow_halves(const void* buffer, void* to, int64_t length) {
  const auto* const values = static_cast<const float*>(buffer);
  auto* const halves = static_cast<float16*>(to);
  int64_t i = 0;
  for (; i + kHalfLanes <= length; i += kHalfLanes) {
    float_lanes wide;
    std::memcpy(&wide, values + i, sizeof wide);
    const half_lanes packed = __builtin_ia32_vcvtps2ph256(wide, 0);  // 0: to the nearest, ties to even
    std::memcpy(halves + i, &packed, sizeof packed);
  }
  for (; i < length; ++i) halves[i] = float16(values[i]);
}

}  // namespace opstudio::detail

#else

namespace opstudio::detail {

inline bool has_half_instructions() { return false; }
inline void widen_halves(const void*, int64_t, void*) {}
inline void narrow_halves(const void*, void*, int64_t) {}

}  // namespace opstudio::detail

#endif
#endif
