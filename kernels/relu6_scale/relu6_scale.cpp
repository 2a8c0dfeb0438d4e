// y = clamp(x * scale, 0, max_val), and its gradient. Both follow strides through opstudio::map.
#include <algorithm>

#include <opstudio/kernel.h>

namespace {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const double scale = call.number("scale"), max_val = call.number("max_val");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
    const Compute factor = Compute(scale), highest = Compute(max_val);
    // The order of the operands lets NaN through, as torch.clamp does.
    const auto clamp = [=](Compute value) { return std::min(std::max(value * factor, Compute(0)), highest); };
    opstudio::map<T>(call, y, clamp, x);
  });
}

// dy/dx is scale between the edges and 0 outside. On an edge it is 0: the clamp is flat there on one side.
void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const double scale = call.number("scale"), max_val = call.number("max_val");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
    const Compute factor = Compute(scale), highest = Compute(max_val);
    const auto slope = [=](Compute gradient, Compute value) {
      const Compute scaled = value * factor;
      return scaled > 0 && scaled < highest ? gradient * factor : Compute(0);
    };
    opstudio::map<T>(call, grad_x, slope, grad_y, x);
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
