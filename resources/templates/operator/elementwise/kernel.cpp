// y = x / (1 + scale * |x|), and its gradient. Both follow strides through opstudio::map.
#include <cmath>

#include <opstudio/kernel.h>

namespace {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const double scale = call.number("scale");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;  // float for the half types
    const Compute factor = Compute(scale);
    opstudio::map<T>(call, y, [=](Compute value) { return value / (1 + factor * std::abs(value)); }, x);
  });
}

// dy/dx = 1 / (1 + scale * |x|)^2
void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const double scale = call.number("scale");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
    const Compute factor = Compute(scale);
    const auto slope = [=](Compute gradient, Compute value) {
      const Compute divisor = 1 + factor * std::abs(value);
      return gradient / (divisor * divisor);
    };
    opstudio::map<T>(call, grad_x, slope, grad_y, x);
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
