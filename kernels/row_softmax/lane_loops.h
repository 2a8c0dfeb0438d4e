// The innermost loops of row_softmax: each runs over independent lanes that lie side by side, so that compilers turn it
// into vector code without being allowed to reorder sums. All of them compute in float or double.
//
// They are compiled for every processor, for those with AVX2 and in part for those with AVX-512, and chosen when the
// kernel runs: a library that is built here starts anywhere.
#ifndef ROW_SOFTMAX_LANE_LOOPS_H
#define ROW_SOFTMAX_LANE_LOOPS_H

#include <opstudio/exponential.h>
#include <opstudio/instruction_sets.h>
#include <opstudio/kernel.h>

namespace row_softmax {

template <class C>
OPSTUDIO_INLINE void raise_maximum(const C* x, C* highest, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) highest[lane] = x[lane] > highest[lane] ? x[lane] : highest[lane];
}

template <class C>
OPSTUDIO_INLINE void add_exponentials(const C* x, const C* highest, C* exponentials, C* sum, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) {
    exponentials[lane] = opstudio::exponential(x[lane] - highest[lane]);
    sum[lane] += exponentials[lane];
  }
}

template <class C>
OPSTUDIO_INLINE void multiply(const C* values, const C* factor, C* product, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) product[lane] = values[lane] * factor[lane];
}

template <class C>
OPSTUDIO_INLINE void add_products(const C* first, const C* second, C* sum, int width) {
  OPSTUDIO_INDEPENDENT
  for (int lane = 0; lane < width; ++lane) sum[lane] += first[lane] * second[lane];
}

template <class C>
OPSTUDIO_INLINE void multiply_difference(const C* y, const C* gradient, const C* shift, C* result, int width) {
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

ROW_SOFTMAX_BUILD(Plain, OPSTUDIO_PLAIN)
#if OPSTUDIO_HAS_WIDE_BUILDS
ROW_SOFTMAX_BUILD(Avx2, OPSTUDIO_AVX2)
ROW_SOFTMAX_BUILD(Avx512, OPSTUDIO_AVX512)
#endif
#undef ROW_SOFTMAX_BUILD

// Chooses the loops for this processor. Only the exponentials compute so much that AVX-512 pays for its compilation.
template <class C>
LaneLoops<C> lane_loops() {
#if OPSTUDIO_HAS_WIDE_BUILDS
  using Wide = Avx2<C>;
  if (opstudio::has_avx2()) {
    const auto exponentials = opstudio::has_avx512() ? Avx512<C>::exponentials : Wide::exponentials;
    return {Wide::maximum, exponentials, Wide::product, Wide::products, Wide::difference};
  }
#endif
  using Any = Plain<C>;
  return {Any::maximum, Any::exponentials, Any::product, Any::products, Any::difference};
}

}  // namespace row_softmax

#endif
