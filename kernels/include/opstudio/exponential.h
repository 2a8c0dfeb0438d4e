// The exponential function in code that compilers turn into vector code; a loop that calls std::exp computes one element
// at a time.
//
// x = n ln 2 + r with |r| <= ln 2 / 2, hence e^x = 2^n e^r. The coefficients for e^r are those of its Taylor series: over
// so short an interval the first term that is left out, r^8 / 8! for float and r^14 / 14! for double, is below the
// rounding of the type.
#ifndef OPSTUDIO_EXPONENTIAL_H
#define OPSTUDIO_EXPONENTIAL_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opstudio/instruction_sets.h"

namespace opstudio {
namespace detail {

template <class C>
constexpr C inverse_factorial(int number) {
  double product = 1;
  for (int factor = 2; factor <= number; ++factor) product *= factor;
  return C(1 / product);
}

// The sum of r^k / k! from the term of number `Term` to the last, by Horner's rule, divided by r^Term. A loop inside of
// a loop would keep compilers from vector code, hence the recursion.
template <class C, int Term, int LastTerm>
OPSTUDIO_INLINE C exponential_series(C r) {
  constexpr C kCoefficient = inverse_factorial<C>(Term);
  if constexpr (Term == LastTerm) {
    return kCoefficient;
  } else {
    return exponential_series<C, Term + 1, LastTerm>(r) * r + kCoefficient;
  }
}

}  // namespace detail

// The bits of a float or double, and back.
template <class C>
using BitsOf = std::conditional_t<std::is_same_v<C, double>, uint64_t, uint32_t>;

template <class C>
OPSTUDIO_INLINE BitsOf<C> to_bits(C value) {
  BitsOf<C> bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <class C>
OPSTUDIO_INLINE C from_bits(BitsOf<C> bits) {
  C value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// `yes` where the condition holds, else `no`. A mask, because gcc would make a jump of a condition.
template <class C>
OPSTUDIO_INLINE C choose(bool condition, C yes, C no) {
  const BitsOf<C> mask = -BitsOf<C>(condition);
  return from_bits<C>((to_bits(yes) & mask) | (to_bits(no) & ~mask));
}

namespace detail {

template <class C>
struct ExponentialLimits {
  static constexpr bool kIsDouble = std::is_same_v<C, double>;
  static constexpr int kFractionBits = kIsDouble ? 52 : 23, kBias = kIsDouble ? 1023 : 127;
  static constexpr int kTerms = kIsDouble ? 13 : 7;
};

// 2^n, for an exponent that a normal number has.
template <class C>
OPSTUDIO_INLINE C power_of_two(BitsOf<C> n) {
  using Limits = ExponentialLimits<C>;
  return from_bits<C>((n + BitsOf<C>(Limits::kBias)) << Limits::kFractionBits);
}

// e^r and the integer n, negative ones modulo 2^32 (2^64). Adding 1.5 * 2^p, where p is the number of stored bits of the
// fraction, rounds to an integer and leaves it in the lowest bits. ln 2 is split in two parts: n times the first is exact.
template <class C>
OPSTUDIO_INLINE C reduced_exponential(C x, BitsOf<C>& n) {
  using Limits = ExponentialLimits<C>;
  constexpr C kRounding = C(3) * C(BitsOf<C>(1) << (Limits::kFractionBits - 1));
  constexpr C kLn2High = C(0.693359375), kLn2Low = C(-2.12194440054690582767e-4L);
  const C shifted = x * C(1.44269504088896340736L) + kRounding;
  const C rounded = shifted - kRounding;
  n = to_bits(shifted) - to_bits(kRounding);
  return exponential_series<C, 0, Limits::kTerms>((x - rounded * kLn2High) - rounded * kLn2Low);
}

}  // namespace detail

// Returns e^x for x <= 0 and NaN for NaN, within two units in the last place; below the smallest normal number it is zero,
// so that a masked element (-inf) costs no more than another one.
template <class C>
OPSTUDIO_INLINE C exponential(C x) {
  constexpr C kLowest = -detail::ExponentialLimits<C>::kBias * C(0.69314718055994530942L);
  BitsOf<C> n;
  const C fraction = detail::reduced_exponential(x, n);
  const C power = detail::power_of_two<C>(n);  // below kLowest it has no bits
  return choose(x < kLowest, C(0), fraction * power);
}

// The lowest x for `exponential_factors`.
template <class C>
constexpr C kLowestExponent = std::is_same_v<C, double> ? C(-1416) : C(-174);

// Sets two factors of e^x, for kLowestExponent <= x <= 0 and NaN. What they are multiplied with, one after the other, may
// bring the product back from below the smallest number: it is rounded like a number of its own size, not like e^x.
// The first is at most 1.
template <class C>
OPSTUDIO_INLINE void exponential_factors(C x, C& first, C& second) {
  constexpr BitsOf<C> kEven = 4096;  // above every -n: a shift to the right needs a positive number
  BitsOf<C> n;
  const C fraction = detail::reduced_exponential(x, n);
  const BitsOf<C> half = ((n + kEven) >> 1) - kEven / 2;
  first = fraction * detail::power_of_two<C>(half);
  second = detail::power_of_two<C>(n - half);
}

}  // namespace opstudio

#endif
