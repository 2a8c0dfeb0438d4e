// The weighted sum or mean of any number of tensors, kept or folded over the last axis.
#include <opstudio/kernel.h>

namespace {

double factor_of(const opstudio::Call& call, int64_t index) {
  const opstudio::Span<double> weights = call.numbers("weights");
  const int64_t count = call.input_count("xs");
  OPSTUDIO_CHECK(weights.size() == count, count, " tensors and ", weights.size(), " weights");
  return call.text("mode") == "mean" ? weights[index] / double(count) : weights[index];
}

void forward(const opstudio::Call& call) {
  const opstudio::View total = call.output("total");
  const int64_t count = call.input_count("xs");
  *call.output("number").data<int64_t>() = count;
  const opstudio::View first = call.input("xs", 0);
  const int axis = first.rank() - 1;
  const int64_t length = first.size(axis);
  const bool keep = call.flag("keep");
  const opstudio::Rows results(total, axis);
  opstudio::dispatch<opstudio::Types<float, double>>(total.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    call.parallel_for(results.count(), 64, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        T* target = total.data<T>() + results.offset(row);
        T folded = 0;
        for (int64_t i = 0; i < length; ++i) {
          T sum = 0;
          for (int64_t k = 0; k < count; ++k) {
            const opstudio::View x = call.input("xs", k);
            sum += x.data<T>()[opstudio::Rows(x, axis).offset(row) + i * x.stride(axis)] * T(factor_of(call, k));
          }
          if (keep) target[i * total.stride(axis)] = sum;
          folded += sum;
        }
        if (!keep) *target = folded;
      }
    });
  });
}

void backward(const opstudio::Call& call) {
  const opstudio::View grad = call.input("grad_total");
  const int64_t count = call.input_count("xs");
  opstudio::dispatch<opstudio::Types<float, double>>(grad.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t k = 0; k < count; ++k) {
      const opstudio::View target = call.output("grad_xs", k);
      const int axis = target.rank() - 1;
      const opstudio::Rows from(grad, axis), to(target, axis);
      const T factor = T(factor_of(call, k));
      for (int64_t row = 0; row < to.count(); ++row) {
        for (int64_t i = 0; i < target.size(axis); ++i) {
          const int64_t source = call.flag("keep") ? i * grad.stride(axis) : 0;
          target.data<T>()[to.offset(row) + i * target.stride(axis)] = grad.data<T>()[from.offset(row) + source] * factor;
        }
      }
    }
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
