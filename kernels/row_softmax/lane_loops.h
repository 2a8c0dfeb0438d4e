// The innermost loops of row_softmax: each runs over independent lanes that lie side by side, so that compilers turn it
// into vector code without being allowed to reorder sums. All of them compute in float or double.
//
// They are compiled for every processor, for those with AVX2 and in part for those with AVX-512, and chosen when the
// kernel runs: a library that is built here starts anywhere.
#ifndef ROW_SOFTMAX_LANE_LOOPS_H
#define ROW_SOFTMAX_LANE_LOOPS_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <opstudio/kernel.h>

#define ROW_SOFTMAX_INLINE inline __attribute__((always_inline))

namespace row_softmax {

template <class C>
constexpr C inverse_factorial(int number) {
  double product = 1;
  for (int factor = 2; factor <= number; ++factor) product *= factor;
  return C(1 / product);
}

// The sum of r^k / k! from the term of number `Term` to the last, by Horner's rule, divided by r^Term. A loop inside of
// a loop would keep compilers from vector code, hence the recursion.
template <class C, int Term, int LastTerm>
ROW_SOFTMAX_INLINE C exponential_series(C r) {
  constexpr C kCoefficient = inverse_factorial<C>(Term);
  if constexpr (Term == LastTerm) {
    return kCoefficient;
  } else {
    return exponential_series<C, Term + 1, LastTerm>(r) * r + kCoefficient;
  }
}

template <class C>
using BitsOf = std::conditional_t<std::is_same_v<C, double>, uint64_t, uint32_t>;

template <class C>
ROW_SOFTMAX_INLINE BitsOf<C> bits_of(C value) {
  BitsOf<C> bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Returns e^x for x <= 0 and NaN for NaN, within two units in the last place; below the smallest normal number it
// is zero, so that a masked element (-inf) costs no more than another one.
//
// x = n ln 2 + r with |r| <= ln 2 / 2, hence e^x = 2^n e^r. Adding 1.5 * 2^p, where p is the number of stored bits of
// the fraction, rounds to the integer n and leaves it in the lowest bits. ln 2 is split in two parts: n times the first
// is exact. The first term that the series of e^r leaves out is below the rounding of the type.
template <class C>
ROW_SOFTMAX_INLINE C exponential(C x) {
  constexpr bool kIsDouble = std::is_same_v<C, double>;
  using Bits = BitsOf<C>;
  constexpr int kFractionBits = kIsDouble ? 52 : 23, kBias = kIsDouble ? 1023 : 127, kTerms = kIsDouble ? 13 : 7;
  constexpr C kLowest = -kBias * C(0.69314718055994530942L);  // below, the power of two has no bits
  constexpr C kRounding = C(3) * C(Bits(1) << (kFractionBits - 1));
  constexpr C kLn2High = C(0.693359375), kLn2Low = C(-2.12194440054690582767e-4L);

  const C shifted = x * C(1.44269504088896340736L) + kRounding;
  const C n = shifted - kRounding;
  const C r = (x - n * kLn2High) - n * kLn2Low;
  const Bits exponent = (bits_of(shifted) - bits_of(kRounding) + Bits(kBias)) << kFractionBits;
  C power;
  std::memcpy(&power, &exponent, sizeof power);
  // A mask instead of a condition, which gcc would make a jump of. It is false for NaN.
  const Bits is_below = -Bits(x < kLowest);
  const Bits bits = bits_of(exponential_series<C, 0, kTerms>(r) * power) & ~is_below;
  C result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

template <class C>
ROW_SOFTMAX_INLINE void raise_maximum(const C* x, C* highest, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) highest[lane] = x[lane] > highest[lane] ? x[lane] : highest[lane];
}

template <class C>
ROW_SOFTMAX_INLINE void add_exponentials(const C* x, const C* highest, C* exponentials, C* sum, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) {
    exponentials[lane] = exponential(x[lane] - highest[lane]);
    sum[lane] += exponentials[lane];
  }
}

template <class C>
ROW_SOFTMAX_INLINE void multiply(const C* values, const C* factor, C* product, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) product[lane] = values[lane] * factor[lane];
}

template <class C>
ROW_SOFTMAX_INLINE void add_products(const C* first, const C* second, C* sum, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) sum[lane] += first[lane] * second[lane];
}

template <class C>
ROW_SOFTMAX_INLINE void multiply_difference(const C* y, const C* gradient, const C* shift, C* result, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) result[lane] = y[lane] * (gradient[lane] - shift[lane]);
}

// The loops as function pointers, so that which build of them runs is decided once.
template <class C>
struct LaneLoops {
  void (*raise_maximum)(const C* x, C* highest, int width);
  void (*add_exponentials)(const C* x, const C* highest, C* exponentials, C* sum, int width);
  void (*multiply)(const C* values, const C* factor, C* product, int width);
  void (*add_products)(const C* first, const C* second, C* sum, int width);
  void (*multiply_difference)(const C* y, const C* gradient, const C* shift, C* result, int width);
};

// A class of the loops, built for the instructions that `target` names.
#define ROW_SOFTMAX_BUILD(name, target)                                                                              \
  template <class C>                                                                                                 \
  struct name {                                                                                                      \
    target static void maximum(const C* x, C* highest, int width) { raise_maximum(x, highest, width); }              \
    target static void exponentials(const C* x, const C* highest, C* results, C* sum, int width) {                   \
      add_exponentials(x, highest, results, sum, width);                                                             \
    }                                                                                                                \
    target static void product(const C* values, const C* factor, C* results, int width) {                            \
      multiply(values, factor, results, width);                                                                      \
    }                                                                                                                \
    target static void products(const C* first, const C* second, C* sum, int width) {                                \
      add_products(first, second, sum, width);                                                                       \
    }                                                                                                                \
    target static void difference(const C* y, const C* gradient, const C* shift, C* results, int width) {            \
      multiply_difference(y, gradient, shift, results, width);                                                       \
    }                                                                                                                \
  };

#if !defined(__x86_64__)
ROW_SOFTMAX_BUILD(Portable, )
#else
ROW_SOFTMAX_BUILD(Portable, OPSTUDIO_BRIEF)  // the few processors without AVX2
ROW_SOFTMAX_BUILD(Avx2, __attribute__((target("avx2,fma"))))
#if defined(__clang__)
ROW_SOFTMAX_BUILD(Avx512, __attribute__((target("avx512f,avx512dq"))))
#else
ROW_SOFTMAX_BUILD(Avx512, __attribute__((target("avx512f,avx512dq,prefer-vector-width=512"))))
#endif
#endif
#undef ROW_SOFTMAX_BUILD

// Chooses the loops for this processor. Only the exponentials compute so much that AVX-512 pays for its compilation.
template <class C>
LaneLoops<C> lane_loops() {
#if defined(__x86_64__)
  using Wide = Avx2<C>;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    const bool is_wider = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    const auto exponentials = is_wider ? Avx512<C>::exponentials : Wide::exponentials;
    return {Wide::maximum, exponentials, Wide::product, Wide::products, Wide::difference};
  }
#endif
  using Any = Portable<C>;
  return {Any::maximum, Any::exponentials, Any::product, Any::products, Any::difference};
}

}  // namespace row_softmax

#endif
