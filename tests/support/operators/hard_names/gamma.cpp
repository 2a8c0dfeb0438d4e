// Each row, repeated and scaled.
#include <opstudio/kernel.h>

namespace {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("inputs"), y = call.output("outputs");
  const float factor = float(call.number("double"));
  OPSTUDIO_CHECK(!call.text("context").empty(), "the text is lost");
  const int64_t length = x.size(-1), wide = y.size(-1);
  for (int64_t i = 0; i < y.count(); ++i) {
    y.data<float>()[i] = x.data<float>()[i / wide * length + i % wide % length] * factor;
  }
}

void backward(const opstudio::Call& call) {
  const opstudio::View grad = call.input("grad_outputs"), result = call.output("grad_inputs");
  const float factor = float(call.number("double"));
  const int64_t length = result.size(-1), wide = grad.size(-1);
  for (int64_t i = 0; i < result.count(); ++i) result.data<float>()[i] = 0;
  for (int64_t i = 0; i < grad.count(); ++i) {
    result.data<float>()[i / wide * length + i % wide % length] += grad.data<float>()[i] * factor;
  }
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
