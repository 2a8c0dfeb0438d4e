// y = tanh(scale * x), and its gradient.
#include <cmath>

#include <opstudio/kernel.h>

namespace {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const double scale = call.number("scale");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
    const Compute factor = Compute(scale);
    opstudio::map<T>(call, y, [=](Compute value) { return std::tanh(factor * value); }, x);
  });
}

// dy/dx = scale * (1 - y * y)
void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), y = call.input("y"), grad_x = call.output("grad_x");
  const double scale = call.number("scale");
  opstudio::dispatch<opstudio::FloatingTypes>(y.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
    const Compute factor = Compute(scale);
    const auto slope = [=](Compute gradient, Compute value) { return gradient * factor * (1 - value * value); };
    opstudio::map<T>(call, grad_x, slope, grad_y, y);
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
