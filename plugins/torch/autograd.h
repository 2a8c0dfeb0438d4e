// The Autograd kernel of an operator: runs the forward below autograd and ties the backward operator to it.
#pragma once

#include <torch/csrc/autograd/custom_function.h>

#include "once_differentiable.h"
#include "registration.h"

namespace opstudio::host {

struct Differentiable : torch::autograd::Function<Differentiable> {
  // `tensors` are the defined tensors of all inputs; `values` is the whole stack, where they stand in their places.
  static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, int64_t handle,
                                                at::TensorList, std::vector<c10::IValue> values) {
    const auto* registration = reinterpret_cast<const Registration*>(handle);
    const Operator& op = registration->op;
    at::AutoDispatchBelowADInplaceOrView below;
    std::vector<TensorGroup> inputs;
    for (size_t i = 0; i < op.inputs.size(); ++i) inputs.push_back(tensor_group(values[i]));
    Stack stack(values.begin(), values.end());
    registration->forward->callBoxed(&stack);
    torch::autograd::variable_list outputs;
    for (const c10::IValue& value : stack) outputs.push_back(value.toTensor());

    torch::autograd::variable_list saved;
    c10::List<int64_t> saved_counts, input_counts;
    for (int32_t index : op.saved) {
      const size_t position = static_cast<size_t>(index);
      const TensorGroup group = position < inputs.size() ? inputs[position] : TensorGroup{outputs[position - inputs.size()]};
      saved.insert(saved.end(), group.begin(), group.end());
      saved_counts.push_back(static_cast<int64_t>(group.size()));
    }
    for (const TensorGroup& group : inputs) input_counts.push_back(static_cast<int64_t>(group.size()));
    c10::List<c10::IValue> attributes(c10::AnyType::get());
    for (size_t i = op.inputs.size(); i < values.size(); ++i) attributes.push_back(values[i]);
    context->save_for_backward(saved);
    context->saved_data["registration"] = handle;
    context->saved_data["kernel"] = reinterpret_cast<int64_t>(registration->kernel.load());
    context->saved_data["attributes"] = attributes;
    context->saved_data["saved_counts"] = saved_counts;
    context->saved_data["input_counts"] = input_counts;
    return outputs;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto* registration = reinterpret_cast<const Registration*>(context->saved_data["registration"].toInt());
    const Operator& op = registration->op;
    TORCH_CHECK(reinterpret_cast<int64_t>(registration->kernel.load()) == context->saved_data["kernel"].toInt(), op.domain,
                "::", op.name, ": the kernel was replaced between forward and backward");
    const std::vector<int64_t> saved_counts = context->saved_data["saved_counts"].toIntVector();
    const std::vector<int64_t> input_counts = context->saved_data["input_counts"].toIntVector();
    Stack stack(gradients.begin(), gradients.end());
    const torch::autograd::variable_list saved = context->get_saved_variables();
    size_t next = 0;
    for (size_t i = 0; i < op.saved.size(); ++i) {
      const size_t count = static_cast<size_t>(saved_counts[i]);
      stack.push_back(group_value(op, op.saved[i], {saved.begin() + static_cast<std::ptrdiff_t>(next),
                                                    saved.begin() + static_cast<std::ptrdiff_t>(next + count)}));
      next += count;
    }
    for (const c10::IValue& value : context->saved_data["attributes"].toListRef()) stack.push_back(value);
    {
      at::AutoDispatchBelowADInplaceOrView below;
      registration->backward->callBoxed(&stack);
    }
    return once_differentiable(op.domain + "::" + op.name, place_gradients(op, stack.back().toTensorVector(), input_counts),
                               gradients, saved);
  }

 private:
  static c10::IValue group_value(const Operator& op, int32_t index, const std::vector<at::Tensor>& group) {
    const size_t position = static_cast<size_t>(index);
    if (position < op.inputs.size() && op.inputs[position].arity == Arity::kVariadic) return c10::List<at::Tensor>(group);
    return group.empty() ? c10::IValue() : c10::IValue(group.front());
  }

  // One entry for the handle, one for each tensor of forward's list, one for its values.
  static torch::autograd::variable_list place_gradients(const Operator& op, const std::vector<at::Tensor>& computed,
                                                        const std::vector<int64_t>& input_counts) {
    torch::autograd::variable_list result(1);
    size_t next = 0;
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      const bool differentiated = std::find(op.gradient_inputs.begin(), op.gradient_inputs.end(), static_cast<int32_t>(i)) !=
                                  op.gradient_inputs.end();
      for (int64_t k = 0; k < input_counts[i]; ++k) {
        result.push_back(differentiated ? computed.at(next++) : at::Tensor());
      }
    }
    result.emplace_back();
    return result;
  }
};

struct Autograd : c10::OperatorKernel {
  explicit Autograd(const Registration& target) : registration(&target) {}

  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, Stack* stack) {
    const Operator& op = registration->op;
    const size_t count = op.inputs.size() + op.attributes.size();
    std::vector<c10::IValue> values(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
    std::vector<at::Tensor> tensors;
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      for (const at::Tensor& tensor : tensor_group(values[i])) tensors.push_back(tensor);
    }
    auto outputs = Differentiable::apply(reinterpret_cast<int64_t>(registration), at::TensorList(tensors), values);
    torch::jit::drop(*stack, count);
    for (at::Tensor& output : outputs) stack->push_back(std::move(output));
  }

  const Registration* registration;
};

}  // namespace opstudio::host
