// Adds each gradient to the column that it was picked from.
#include <algorithm>

#include "affine_pick.h"

namespace affine_pick {

void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), grad_x = call.output("grad_x");
  const int64_t columns = grad_x.size(-1), picks = grad_y.size(-1), rows = columns ? grad_x.count() / columns : 0;
  const double scale = call.number("scale");
  opstudio::dispatch<opstudio::Types<float, double>>(grad_y.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* of_bias = call.has_input("bias") ? call.output("grad_bias").data<T>() : nullptr;
    std::fill_n(grad_x.data<T>(), grad_x.count(), T(0));
    if (of_bias) std::fill_n(of_bias, columns, T(0));
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t j = 0; j < picks; ++j) {
        const int64_t pick = checked_pick(call, j, columns);
        const T gradient = grad_y.data<T>()[row * picks + j] * T(scale);
        grad_x.data<T>()[row * columns + pick] += gradient;
        if (of_bias) of_bias[pick] += gradient;
      }
    }
  });
}

}  // namespace affine_pick
