// relu6_scale as an ordinary PyTorch extension: what the edit loop is compared with.
#include <torch/extension.h>

#include <algorithm>

namespace {

constexpr double kFloor = 0.0;

template <class T>
void run(const at::Tensor& x, at::Tensor& y, double scale, double max_val) {
  const T* from = x.data_ptr<T>();
  T* to = y.data_ptr<T>();
  at::parallel_for(0, x.numel(), 32768, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = std::min(std::max(from[i] * T(scale), T(kFloor)), T(max_val));
  });
}

at::Tensor forward(const at::Tensor& input, double scale, double max_val) {
  const at::Tensor x = input.contiguous();
  at::Tensor y = at::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu6_scale", [&] { run<scalar_t>(x, y, scale, max_val); });
  return y;
}

at::Tensor backward(const at::Tensor& gradient, const at::Tensor& x, double scale, double max_val) {
  const at::Tensor scaled = x * scale;
  return gradient * scale * ((scaled > kFloor) & (scaled < max_val));
}

struct Function : torch::autograd::Function<Function> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, double scale,
                            double max_val) {
    at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({x});
    context->saved_data["scale"] = scale;
    context->saved_data["max_val"] = max_val;
    return ::forward(x, scale, max_val);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const double scale = context->saved_data["scale"].toDouble(), max_val = context->saved_data["max_val"].toDouble();
    return {::backward(gradients[0], context->get_saved_variables()[0], scale, max_val), at::Tensor(), at::Tensor()};
  }
};

at::Tensor differentiable(const at::Tensor& x, double scale, double max_val) { return Function::apply(x, scale, max_val); }

}  // namespace

TORCH_LIBRARY(bench, library) {
  library.def("relu6_scale(Tensor x, float scale, float max_val=6.0) -> Tensor");
}

TORCH_LIBRARY_IMPL(bench, CPU, library) { library.impl("relu6_scale", &forward); }

TORCH_LIBRARY_IMPL(bench, Autograd, library) { library.impl("relu6_scale", &differentiable); }
