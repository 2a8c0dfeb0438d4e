// y = x * x + bias for PyTorch: schema, CPU, Meta and Autograd. Narrow headers halve the time to compile.
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor {{ name }}_cpu(const at::Tensor& x, double bias) {
  TORCH_CHECK(x.scalar_type() == at::kFloat, "{{ name }}: expected scalar type Float but found ", x.scalar_type());
  const at::Tensor source = x.contiguous();
  at::Tensor y = at::empty_like(source, at::MemoryFormat::Contiguous);
  const float* from = source.const_data_ptr<float>();
  float* to = y.mutable_data_ptr<float>();
  const float offset = static_cast<float>(bias);
  for (int64_t i = 0; i < source.numel(); ++i) to[i] = from[i] * from[i] + offset;
  return y;
}

at::Tensor {{ name }}_meta(const at::Tensor& x, double) { return at::empty_like(x, at::MemoryFormat::Contiguous); }

at::Tensor call_{{ name }}(const at::Tensor& x, double bias) {
  static const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow("{{ domain }}::{{ name }}", "").typed<at::Tensor(const at::Tensor&, double)>();
  return op.call(x, bias);
}

struct {{ name }}_function : torch::autograd::Function<{{ name }}_function> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, double bias) {
    at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({x});
    return call_{{ name }}(x, bias);
  }

  // One gradient for each argument of forward; bias is no tensor.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {at::mul(at::mul(gradients[0], context->get_saved_variables()[0]), 2), at::Tensor()};
  }
};

at::Tensor {{ name }}_autograd(const at::Tensor& x, double bias) { return {{ name }}_function::apply(x, bias); }

}  // namespace

TORCH_LIBRARY({{ domain }}, m) { m.def("{{ name }}(Tensor x, float bias=0.0) -> Tensor"); }
TORCH_LIBRARY_IMPL({{ domain }}, CPU, m) { m.impl("{{ name }}", &{{ name }}_cpu); }
TORCH_LIBRARY_IMPL({{ domain }}, Meta, m) { m.impl("{{ name }}", &{{ name }}_meta); }
TORCH_LIBRARY_IMPL({{ domain }}, Autograd, m) { m.impl("{{ name }}", &{{ name }}_autograd); }
