// y = clamp(x * scale, 0, max_val), and its gradient. Both follow strides through opstudio::map.
#include <opstudio/kernel.h>

#include <algorithm>

namespace {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const double scale = call.number("scale"), max_val = call.number("max_val");
  const auto clamp = [=](auto value) {
    using Compute = decltype(value);
    // The order of the operands lets NaN through, as torch.clamp does.
    return std::min(std::max(value * Compute(scale), Compute(0)), Compute(max_val));
  };
  opstudio::map<opstudio::FloatingTypes>(call, y, clamp, x);
}

// dy/dx is scale between the edges and 0 outside. On an edge it is 0: the clamp is flat there on one side.
void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const double scale = call.number("scale"), max_val = call.number("max_val");
  const auto slope = [=](auto gradient, auto value) {
    using Compute = decltype(value);
    const Compute scaled = value * Compute(scale);
    return scaled > 0 && scaled < Compute(max_val) ? gradient * Compute(scale) : Compute(0);
  };
  opstudio::map<opstudio::FloatingTypes>(call, grad_x, slope, grad_y, x);
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
