// Picks columns; an absent bias counts as zeros.
#include "affine_pick.h"

namespace affine_pick {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const int64_t columns = x.size(-1), picks = y.size(-1), rows = columns ? x.count() / columns : 0;
  const double scale = call.number("scale");
  opstudio::dispatch<opstudio::Types<float, double>>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* bias = call.has_input("bias") ? call.input("bias").data<T>() : nullptr;
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t j = 0; j < picks; ++j) {
        const int64_t pick = checked_pick(call, j, columns);
        const T value = x.data<T>()[row * columns + pick] + (bias ? bias[pick] : T(0));
        y.data<T>()[row * picks + j] = value * T(scale);
      }
    }
  });
}

}  // namespace affine_pick

OPSTUDIO_KERNEL(affine_pick::forward, affine_pick::backward)
