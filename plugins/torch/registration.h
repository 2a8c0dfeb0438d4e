// The kernels that the dispatcher calls for one operator: CPU and Meta (and their backward forms), all boxed.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <torch/library.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "guarded_memory.h"
#include "stack_arguments.h"

namespace opstudio::host {

// How calls are run; set by a worker before its checks.
struct CheckMode {
  std::atomic<bool> guard_outputs{false};
  std::atomic<bool> guard_inputs{false};
  std::atomic<void (*)()> enter_thread{nullptr};  // prepares a pool thread, for example for stack overflows
};
inline CheckMode check_mode;

// One registered operator and the kernel behind it. Lives as long as the process: autograd graphs point to it.
struct Registration {
  explicit Registration(Operator description) : op(std::move(description)) {}
  Operator op;
  std::atomic<const opstudio_kernel*> kernel{nullptr};
  std::unique_ptr<torch::Library> library;
  std::optional<c10::OperatorHandle> forward, backward;
};

inline opstudio_host host_for(CallState& state) {
  return {OPSTUDIO_ABI_VERSION,
          sizeof(opstudio_host),
          &state,
          [](void*, int64_t count, int64_t grain, opstudio_range run, void* argument) {
            at::parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
              if (void (*enter)() = check_mode.enter_thread) enter();
              run(argument, begin, end);
            });
          },
          CallState::allocate,
          CallState::fail,
          nullptr};
}

// Allocates an output: on the Meta device, between guards while checks run, or as usual.
inline at::Tensor allocate_output(const std::vector<c10::SymInt>& shape, at::ScalarType type, c10::Device device) {
  const auto options = at::TensorOptions().dtype(type).device(device);
  if (device.is_meta() || !check_mode.guard_outputs) return at::empty_symint(shape, options);
  std::vector<int64_t> sizes;
  int64_t bytes = static_cast<int64_t>(c10::elementSize(type));
  for (const c10::SymInt& size : shape) bytes *= sizes.emplace_back(size.expect_int());
  auto memory = std::make_shared<GuardedMemory>(static_cast<size_t>(bytes));
  TORCH_CHECK(memory->data() != nullptr, "no memory for an output of ", bytes, " bytes");
  return at::from_blob(memory->data(), sizes, [memory](void*) {}, options);
}

// A copy of an input in memory that stops the process when it is written to.
inline at::Tensor read_only_copy(const at::Tensor& tensor) {
  auto memory = std::make_shared<GuardedMemory>(tensor.storage().nbytes());
  TORCH_CHECK(memory->data() != nullptr, "no memory for a guarded input");
  std::memcpy(memory->data(), tensor.storage().data(), tensor.storage().nbytes());
  memory->make_read_only();
  void* first = static_cast<char*>(memory->data()) + tensor.storage_offset() * tensor.element_size();
  return at::from_blob(first, tensor.sizes(), tensor.strides(), [memory](void*) {}, tensor.options());
}

inline at::Tensor prepared_input(const Operator& op, const at::Tensor& tensor) {
  at::Tensor result = op.strided ? tensor : tensor.contiguous();
  return check_mode.guard_inputs && result.numel() > 0 ? read_only_copy(result) : result;
}

// Calls the forward or backward function of the kernel and raises what it refuses.
inline void run_kernel(const Registration& registration, bool backward, KernelArguments& inputs, KernelArguments& outputs,
                       const CallAttributes& attributes) {
  const Operator& op = registration.op;
  const opstudio_kernel* kernel = registration.kernel.load(std::memory_order_acquire);
  TORCH_CHECK(kernel != nullptr, op.domain, "::", op.name, " has no kernel loaded");
  CallState state;
  const opstudio_host host = host_for(state);
  const std::string refusal =
      call_kernel(backward ? kernel->backward : kernel->forward, host, state, inputs, outputs, attributes.kernel);
  TORCH_CHECK(refusal.empty(), op.domain, "::", op.name, backward ? " (backward): " : ": ", refusal);
}

inline c10::Device device_of(const std::vector<TensorGroup>& groups) {
  for (const TensorGroup& group : groups) {
    if (!group.empty()) return group.front().device();
  }
  return at::kCPU;
}

// The forward operator on CPU and Meta: shapes and types from the contract, values from the kernel.
struct Forward : c10::OperatorKernel {
  explicit Forward(const Registration& target) : registration(&target) {}

  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, Stack* stack) {
    const Operator& op = registration->op;
    const size_t count = op.inputs.size() + op.attributes.size();
    const c10::IValue* values = stack->data() + (stack->size() - count);
    std::vector<TensorGroup> inputs;
    for (size_t i = 0; i < op.inputs.size(); ++i) inputs.push_back(tensor_group(values[i]));
    const CallAttributes attributes = call_attributes(op, values + op.inputs.size());
    std::vector<int32_t> types;
    check_types(op, inputs, types);
    const c10::Device device = device_of(inputs);
    std::vector<at::Tensor> results;
    const auto shapes = output_shapes(op, inputs, attributes);
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      results.push_back(allocate_output(shapes[i], scalar_type(op.output_type(i, types)), device));
    }
    if (!device.is_meta()) compute(inputs, results, attributes);
    torch::jit::drop(*stack, count);
    for (at::Tensor& result : results) stack->push_back(std::move(result));
  }

 private:
  static std::vector<std::vector<c10::SymInt>> output_shapes(const Operator& op, const std::vector<TensorGroup>& inputs,
                                                             const CallAttributes& attributes) {
    std::vector<std::vector<std::vector<c10::SymInt>>> shapes;
    for (const TensorGroup& group : inputs) {
      auto& of_input = shapes.emplace_back();
      for (const at::Tensor& tensor : group) of_input.push_back(tensor.sym_sizes().vec());
    }
    try {
      return infer_shapes(op, shapes, attributes.shapes);
    } catch (const std::logic_error& error) {
      TORCH_CHECK_VALUE(false, op.domain, "::", op.name, ": ", error.what());
    }
  }

  void compute(std::vector<TensorGroup>& inputs, const std::vector<at::Tensor>& results,
               const CallAttributes& attributes) const {
    const Operator& op = registration->op;
    KernelArguments in, out;
    for (size_t i = 0; i < inputs.size(); ++i) {
      for (at::Tensor& tensor : inputs[i]) tensor = prepared_input(op, tensor);
      add_views(in, op.inputs[i].name, inputs[i]);
    }
    for (size_t i = 0; i < results.size(); ++i) add_views(out, op.outputs[i].name, {results[i]});
    run_kernel(*registration, false, in, out, attributes);
  }

  const Registration* registration;
};

// The backward operator: gradients of outputs and saved tensors in, gradients of inputs out.
struct Backward : c10::OperatorKernel {
  explicit Backward(const Registration& target) : registration(&target) {}

  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, Stack* stack) {
    const Operator& op = registration->op;
    const size_t tensors = op.outputs.size() + op.saved.size(), count = tensors + op.attributes.size();
    const c10::IValue* values = stack->data() + (stack->size() - count);
    std::vector<TensorGroup> gradients, saved;
    for (size_t i = 0; i < op.outputs.size(); ++i) gradients.push_back(tensor_group(values[i]));
    for (size_t i = 0; i < op.saved.size(); ++i) saved.push_back(tensor_group(values[op.outputs.size() + i]));
    const CallAttributes attributes = call_attributes(op, values + tensors);
    std::vector<TensorGroup> results;
    c10::Device device = at::kCPU;
    for (int32_t input : op.gradient_inputs) {
      TensorGroup& group = results.emplace_back();
      for (const at::Tensor& like : shape_source(op, input, gradients, saved)) {
        device = like.device();
        group.push_back(allocate_output(like.sym_sizes().vec(), like.scalar_type(), device));
      }
    }
    if (!device.is_meta()) compute(gradients, saved, results, attributes);
    torch::jit::drop(*stack, count);
    c10::List<at::Tensor> flat;
    for (const TensorGroup& group : results) {
      for (const at::Tensor& tensor : group) flat.push_back(tensor);
    }
    stack->push_back(std::move(flat));
  }

 private:
  // A saved tensor or an output's gradient that has the shape of the input.
  static const TensorGroup& shape_source(const Operator& op, int32_t input, const std::vector<TensorGroup>& gradients,
                                         const std::vector<TensorGroup>& saved) {
    for (size_t i = 0; i < op.saved.size(); ++i) {
      if (op.saved[i] == input) return saved[i];
    }
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      if (op.outputs[i].same_shape_as == input) return gradients[i];
    }
    TORCH_CHECK(false, op.name, ": save ", op.inputs[static_cast<size_t>(input)].name, ", whose shape its gradient needs");
  }

  void compute(std::vector<TensorGroup>& gradients, std::vector<TensorGroup>& saved,
               const std::vector<TensorGroup>& results, const CallAttributes& attributes) const {
    const Operator& op = registration->op;
    KernelArguments in, out;
    for (size_t i = 0; i < gradients.size(); ++i) {
      for (at::Tensor& tensor : gradients[i]) tensor = prepared_input(op, tensor);
      add_views(in, "grad_" + op.outputs[i].name, gradients[i]);
    }
    for (size_t i = 0; i < saved.size(); ++i) {
      for (at::Tensor& tensor : saved[i]) tensor = prepared_input(op, tensor);
      add_views(in, saved_name(op, op.saved[i]), saved[i]);
    }
    for (size_t i = 0; i < results.size(); ++i) {
      add_views(out, "grad_" + op.inputs[static_cast<size_t>(op.gradient_inputs[i])].name, results[i]);
    }
    run_kernel(*registration, true, in, out, attributes);
  }

  static const std::string& saved_name(const Operator& op, int32_t index) {
    const size_t position = static_cast<size_t>(index);
    return position < op.inputs.size() ? op.inputs[position].name : op.outputs[position - op.inputs.size()].name;
  }

  const Registration* registration;
};

}  // namespace opstudio::host
