// y = x / (1 + scale * |x|), and its gradient. Both follow strides through opstudio::map.
#include <opstudio/kernel.h>

#include <cmath>

namespace {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const double scale = call.number("scale");
  const auto soften = [=](auto value) {
    using Compute = decltype(value);  // float for the half types
    return value / (1 + Compute(scale) * std::abs(value));
  };
  opstudio::map<opstudio::FloatingTypes>(call, y, soften, x);
}

// dy/dx = 1 / (1 + scale * |x|)^2
void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const double scale = call.number("scale");
  const auto slope = [=](auto gradient, auto value) {
    using Compute = decltype(value);
    const Compute divisor = 1 + Compute(scale) * std::abs(value);
    return gradient / (divisor * divisor);
  };
  opstudio::map<opstudio::FloatingTypes>(call, grad_x, slope, grad_y, x);
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
