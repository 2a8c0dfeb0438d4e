// The element types of tensors in C++, with half and bfloat16 of our own: the compilers' own are missing in older
// clang and in nvcc's host code.
#ifndef OPSTUDIO_ELEMENT_TYPES_H
#define OPSTUDIO_ELEMENT_TYPES_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opstudio/abi.h"
#include "opstudio/compilation.h"

#if defined(__F16C__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

#if defined(__CUDACC__)
#define OPSTUDIO_HOST_DEVICE __host__ __device__
#else
#define OPSTUDIO_HOST_DEVICE
#endif

namespace opstudio {
namespace detail {

OPSTUDIO_HOST_DEVICE inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

OPSTUDIO_HOST_DEVICE inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// IEEE 754 binary16 from binary32, rounding to nearest even. The cases are told apart by the exponent:
// NaN and infinity, overflow, normal numbers, denormals (whose last place is 2^-24) and zero.
OPSTUDIO_HOST_DEVICE inline uint16_t half_bits_of(float value) {
#if defined(__F16C__) && !defined(__CUDACC__)
  return static_cast<uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
#else
  // Every case is computed and one of them chosen: without branches, loops become vector code.
  const uint32_t bits = bits_of(value);
  const int32_t magnitude = static_cast<int32_t>(bits & 0x7fffffffu);
  const int32_t normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  // Below 2^-14: the sum aligns the last place of a float32 to 2^-24 and rounds.
  const int32_t denormal = static_cast<int32_t>(bits_of(float_of(bits & 0x7fffffffu) + 0.5f)) - 0x3f000000;
  int32_t half = magnitude < 0x38800000 ? denormal : normal;
  half = magnitude >= 0x477ff000 ? 0x7c00 : half;  // 65520 and above round to infinity
  half = magnitude > 0x7f800000 ? 0x7e00 : half;   // NaN stays NaN, quiet
  return static_cast<uint16_t>(((bits >> 16) & 0x8000u) | static_cast<uint32_t>(half));
#endif
}

OPSTUDIO_HOST_DEVICE inline float float_of_half_bits(uint16_t half) {
#if defined(__F16C__) && !defined(__CUDACC__)
  return _cvtsh_ss(half);
#else
  const int32_t magnitude = half & 0x7fff;
  const uint32_t denormal = bits_of(static_cast<float>(magnitude) * 5.9604644775390625e-8f);  // 2^-24
  const uint32_t aligned = static_cast<uint32_t>(magnitude) << 13;
  uint32_t bits = magnitude < 0x0400 ? denormal : aligned + 0x38000000u;
  bits = magnitude >= 0x7c00 ? aligned | 0x7f800000u : bits;
  return float_of(bits | static_cast<uint32_t>(half & 0x8000) << 16);
#endif
}

}  // namespace detail

// IEEE 754 binary16: 11 significant bits, largest 65504. Arithmetic happens in float.
struct float16 {
  uint16_t bits;
  float16() = default;
  OPSTUDIO_HOST_DEVICE explicit float16(float value) : bits(detail::half_bits_of(value)) {}
  OPSTUDIO_HOST_DEVICE operator float() const { return detail::float_of_half_bits(bits); }
};

// The upper half of a float32: 8 significant bits, the range of float. Arithmetic happens in float.
struct bfloat16 {
  uint16_t bits;
  bfloat16() = default;
  OPSTUDIO_HOST_DEVICE explicit bfloat16(float value) {
    const uint32_t raw = detail::bits_of(value);
    const bool is_nan = (raw & 0x7fffffffu) > 0x7f800000u;
    bits = static_cast<uint16_t>(is_nan ? (raw >> 16) | 0x40u : (raw + 0x7fffu + ((raw >> 16) & 1u)) >> 16);
  }
  OPSTUDIO_HOST_DEVICE operator float() const { return detail::float_of(static_cast<uint32_t>(bits) << 16); }
};

// The type to compute in: what half types are too coarse for happens in float.
template <class T>
struct compute_type {
  using type = T;
};
template <>
struct compute_type<float16> {
  using type = float;
};
template <>
struct compute_type<bfloat16> {
  using type = float;
};
template <class T>
using compute_t = typename compute_type<T>::type;

// The number of an element type in the interface.
template <class T>
struct type_code;
template <> struct type_code<float> { static constexpr int32_t value = OPSTUDIO_FLOAT32; };
template <> struct type_code<double> { static constexpr int32_t value = OPSTUDIO_FLOAT64; };
template <> struct type_code<float16> { static constexpr int32_t value = OPSTUDIO_FLOAT16; };
template <> struct type_code<bfloat16> { static constexpr int32_t value = OPSTUDIO_BFLOAT16; };
template <> struct type_code<int8_t> { static constexpr int32_t value = OPSTUDIO_INT8; };
template <> struct type_code<int16_t> { static constexpr int32_t value = OPSTUDIO_INT16; };
template <> struct type_code<int32_t> { static constexpr int32_t value = OPSTUDIO_INT32; };
template <> struct type_code<int64_t> { static constexpr int32_t value = OPSTUDIO_INT64; };
template <> struct type_code<uint8_t> { static constexpr int32_t value = OPSTUDIO_UINT8; };
template <> struct type_code<bool> { static constexpr int32_t value = OPSTUDIO_BOOL; };

// A type as a value, to hand to generic lambdas: `using T = typename decltype(tag)::type`.
template <class T>
struct Tag {
  using type = T;
};

template <class... Ts>
struct Types {};

using FloatingTypes = Types<float, double, float16, bfloat16>;
using IntegerTypes = Types<int8_t, int16_t, int32_t, int64_t, uint8_t>;
using AllTypes = Types<float, double, float16, bfloat16, int8_t, int16_t, int32_t, int64_t, uint8_t, bool>;

OPSTUDIO_SHARED const char* type_name(int32_t type) {
  switch (type) {
    case OPSTUDIO_FLOAT32: return "float32";
    case OPSTUDIO_FLOAT64: return "float64";
    case OPSTUDIO_FLOAT16: return "float16";
    case OPSTUDIO_BFLOAT16: return "bfloat16";
    case OPSTUDIO_INT8: return "int8";
    case OPSTUDIO_INT16: return "int16";
    case OPSTUDIO_INT32: return "int32";
    case OPSTUDIO_INT64: return "int64";
    case OPSTUDIO_UINT8: return "uint8";
    case OPSTUDIO_BOOL: return "bool";
    default: return "an unknown type";
  }
}

}  // namespace opstudio

#endif
