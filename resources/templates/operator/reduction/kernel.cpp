// y = mean of x * x over the last axis, and its gradient. Sums are kept in float for the half types.
#include <opstudio/kernel.h>

namespace {

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const int axis = x.rank() - 1;
  const int64_t length = x.size(axis), step = x.stride(axis);
  const opstudio::Rows rows(x, axis), results(y, -1);
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
    call.parallel_for(rows.count(), 1 + opstudio::kElementGrain / (length + 1), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* first = x.data<T>() + rows.offset(row);
        Compute total = 0;
        for (int64_t i = 0; i < length; ++i) total += Compute(first[i * step]) * Compute(first[i * step]);
        y.data<T>()[results.offset(row)] = T(total / Compute(length));
      }
    });
  });
}

// dy/dx = 2 * x / C, for every element of the row
void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const int axis = x.rank() - 1;
  const int64_t length = x.size(axis);
  const opstudio::Rows rows(x, axis), gradients(grad_y, -1), results(grad_x, axis);
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = opstudio::compute_t<T>;
    call.parallel_for(rows.count(), 1 + opstudio::kElementGrain / (length + 1), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* first = x.data<T>() + rows.offset(row);
        T* target = grad_x.data<T>() + results.offset(row);
        const Compute factor = Compute(grad_y.data<T>()[gradients.offset(row)]) * 2 / Compute(length);
        for (int64_t i = 0; i < length; ++i) {
          target[i * grad_x.stride(axis)] = T(factor * Compute(first[i * x.stride(axis)]));
        }
      }
    });
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
