// The innermost loops of rms_norm, each over a run of one row. Values come as float or double; every sum and product is a
// double, in which squares of float never overflow and a result is rounded once.
//
// A sum has many lanes, each over every kLanes-th element: that is vector code without reordering what was written. The
// loops are built for several instruction sets and chosen when the kernel runs.
#ifndef RMS_NORM_ROW_LOOPS_H
#define RMS_NORM_ROW_LOOPS_H

#include <cstdint>

#include <opstudio/instruction_sets.h>
#include <opstudio/kernel.h>

namespace rms_norm {

// Elements of a run, apart from the last one of a row.
constexpr int64_t kRun = 512;
constexpr int kLanes = 32;

// What a row is multiplied with: the elements by `inverse_unit`, a power of two and nearly always 1, which keeps their
// squares in range; what comes of it by `inverse_root`.
struct Scale {
  double inverse_unit;
  double inverse_root;
};

// An element in units of its row. Those of float need none: their squares are far inside the range of double.
OPSTUDIO_INLINE double in_units(float x, double) { return double(x); }
OPSTUDIO_INLINE double in_units(double x, double inverse_unit) { return x * inverse_unit; }

OPSTUDIO_INLINE double sum_of(const double* lanes) {
  double halves[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) halves[lane] = lanes[lane];
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) halves[lane] += halves[lane + half];
  }
  return halves[0];
}

// The sum of term(i) for all elements of a run.
template <class F>
OPSTUDIO_INLINE double sum_terms(int64_t count, const F& term) {
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    OPSTUDIO_INDEPENDENT
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  }
  for (int lane = 0; i < count; ++i, ++lane) lanes[lane] += term(i);
  return sum_of(lanes);
}

template <class C>
OPSTUDIO_INLINE double sum_squares(const C* x, double inverse_unit, int64_t count) {
  return sum_terms(count, [=](int64_t i) OPSTUDIO_WIDE {
    const double scaled = in_units(x[i], inverse_unit);
    return scaled * scaled;
  });
}

template <class C>
OPSTUDIO_INLINE void normalize(const C* x, const C* weight, Scale scale, C* y, int64_t count) {
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) {
    y[i] = C(in_units(x[i], scale.inverse_unit) * scale.inverse_root * double(weight[i]));
  }
}

// The sum of grad_y * weight * (x / root).
template <class C>
OPSTUDIO_INLINE double sum_products(const C* x, const C* weight, const C* grad_y, Scale scale, int64_t count) {
  return sum_terms(count, [=](int64_t i) OPSTUDIO_WIDE {
    return in_units(x[i], scale.inverse_unit) * scale.inverse_root * double(weight[i]) * double(grad_y[i]);
  });
}

// grad_x = (grad_y * weight - (x / root) * mean) / root, and grad_y * (x / root) added to the gradient of the weights.
template <class C>
OPSTUDIO_INLINE void differentiate(const C* x, const C* weight, const C* grad_y, Scale scale, double mean, C* grad_x,
                                   double* grad_weight, int64_t count) {
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) {
    const double normal = in_units(x[i], scale.inverse_unit) * scale.inverse_root, gradient = double(grad_y[i]);
    grad_weight[i] += gradient * normal;
    grad_x[i] = C((gradient * double(weight[i]) - normal * mean) * scale.inverse_root * scale.inverse_unit);
  }
}

// The loops as function pointers, so that which build of them runs is decided once.
template <class C>
struct RowLoops {
  double (*sum_squares)(const C* x, double inverse_unit, int64_t count);
  void (*normalize)(const C* x, const C* weight, Scale scale, C* y, int64_t count);
  double (*sum_products)(const C* x, const C* weight, const C* grad_y, Scale scale, int64_t count);
  void (*differentiate)(const C* x, const C* weight, const C* grad_y, Scale scale, double mean, C* grad_x,
                        double* grad_weight, int64_t count);
};

// A class of the loops, built for the instructions that `target` names.
#define RMS_NORM_BUILD(name, target)                                                                                  \
  template <class C>                                                                                                  \
  struct name {                                                                                                       \
    target static double squares(const C* x, double unit, int64_t count) { return sum_squares(x, unit, count); }      \
    target static void normal(const C* x, const C* weight, Scale scale, C* y, int64_t count) {                        \
      normalize(x, weight, scale, y, count);                                                                          \
    }                                                                                                                 \
    target static double products(const C* x, const C* weight, const C* grad_y, Scale scale, int64_t count) {         \
      return sum_products(x, weight, grad_y, scale, count);                                                           \
    }                                                                                                                 \
    target static void gradients(const C* x, const C* weight, const C* grad_y, Scale scale, double mean, C* grad_x,   \
                                 double* grad_weight, int64_t count) {                                                \
      differentiate(x, weight, grad_y, scale, mean, grad_x, grad_weight, count);                                      \
    }                                                                                                                 \
    static RowLoops<C> loops() { return {squares, normal, products, gradients}; }                                     \
  };

RMS_NORM_BUILD(Plain, OPSTUDIO_PLAIN)
#if OPSTUDIO_HAS_WIDE_BUILDS
RMS_NORM_BUILD(Avx2, OPSTUDIO_AVX2)
RMS_NORM_BUILD(Avx512, OPSTUDIO_AVX512)
#endif
#undef RMS_NORM_BUILD

// Chooses the loops for this processor.
template <class C>
RowLoops<C> row_loops() {
#if OPSTUDIO_HAS_WIDE_BUILDS
  if (opstudio::has_avx512()) return Avx512<C>::loops();
  if (opstudio::has_avx2()) return Avx2<C>::loops();
#endif
  return Plain<C>::loops();
}

}  // namespace rms_norm

#endif
