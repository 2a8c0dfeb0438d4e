// y = x * sigmoid(beta * x), and its gradient. Both follow strides through opstudio::wide_map.
//
// With e = exp(-|z|), z = beta * x, which never overflows, sigmoid(z) is 1 / (1 + e) for z >= 0 and e / (1 + e) below.
#include <opstudio/kernel.h>

#include <opstudio/exponential.h>
#include <opstudio/wide_map.h>

namespace {

using opstudio::choose;
using opstudio::exponential_factors;
using opstudio::kLowestExponent;

// beta * x, and 0 for beta = 0 even where x is infinite.
template <class C>
OPSTUDIO_INLINE C scaled(C x, C beta) {
  return choose(beta == 0, C(0), beta * x);
}

// Beyond these limits exp(-|z|) is below every number. Infinities become large numbers there; NaN stays NaN.
template <class C>
OPSTUDIO_INLINE C bounded(C z) {
  const C raised = choose(z < kLowestExponent<C>, kLowestExponent<C>, z);
  return choose(raised > -kLowestExponent<C>, -kLowestExponent<C>, raised);
}

template <class C>
OPSTUDIO_INLINE C minus_magnitude(C z) {
  return choose(z > 0, -z, z);
}

template <class C>
OPSTUDIO_INLINE C swish(C x, C beta) {
  const C z = scaled(x, beta);
  C first, second;
  exponential_factors(minus_magnitude(bounded(z)), first, second);
  const C numerator = choose(z < 0, x * first * second, x);
  // Below the lowest z even the largest x ends at zero; so does an infinite one.
  return choose(z < kLowestExponent<C>, C(0), numerator / (1 + first * second));
}

// dy/dx = s + z s (1 - s) with s = sigmoid(z).
template <class C>
OPSTUDIO_INLINE C derivative(C x, C beta) {
  const C z = bounded(scaled(x, beta));
  C first, second;
  exponential_factors(minus_magnitude(z), first, second);
  const C e = first * second, sum = 1 + e;
  return choose(z < 0, (sum + z) * first * second, sum + z * e) / (sum * sum);
}

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const double beta = call.number("beta");
  const auto compute = [=](auto value) OPSTUDIO_WIDE { return swish(value, decltype(value)(beta)); };
  opstudio::wide_map<opstudio::FloatingTypes>(call, y, compute, x);
}

void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const double beta = call.number("beta");
  const auto compute = [=](auto gradient, auto value) OPSTUDIO_WIDE {
    return gradient * derivative(value, decltype(value)(beta));
  };
  opstudio::wide_map<opstudio::FloatingTypes>(call, grad_x, compute, grad_y, x);
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
