// Calling kernels from PyTorch: what the generated operators of a release share.
#pragma once

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "once_differentiable.h"
#include "opstudio_host/kernel_call.h"
#include "symbolic_sizes.h"
#include "tensor_views.h"

namespace opstudio::host {

// The tensors of an argument, whatever its kind.
inline std::vector<at::Tensor> tensors_of(const at::Tensor& tensor) { return {tensor}; }
inline std::vector<at::Tensor> tensors_of(const std::optional<at::Tensor>& tensor) {
  return tensor && tensor->defined() ? std::vector<at::Tensor>{*tensor} : std::vector<at::Tensor>{};
}
inline std::vector<at::Tensor> tensors_of(at::TensorList tensors) { return tensors.vec(); }

inline std::vector<at::Tensor> slice_of(const std::vector<at::Tensor>& tensors, size_t first, size_t last) {
  return {tensors.begin() + static_cast<std::ptrdiff_t>(first), tensors.begin() + static_cast<std::ptrdiff_t>(last)};
}

// The shapes of an argument's tensors, for plain and for symbolic sizes.
template <class Argument>
std::vector<std::vector<int64_t>> plain_shapes(const Argument& argument) {
  std::vector<std::vector<int64_t>> shapes;
  for (const at::Tensor& tensor : tensors_of(argument)) shapes.push_back(tensor.sizes().vec());
  return shapes;
}
template <class Argument>
std::vector<std::vector<c10::SymInt>> symbolic_shapes(const Argument& argument) {
  std::vector<std::vector<c10::SymInt>> shapes;
  for (const at::Tensor& tensor : tensors_of(argument)) shapes.push_back(tensor.sym_sizes().vec());
  return shapes;
}

// Turns what a shape rule refuses into an error of the operator.
template <class F>
auto checked_shapes(const char* name, F&& infer) {
  try {
    return infer();
  } catch (const std::logic_error& error) {
    TORCH_CHECK_VALUE(false, name, ": ", error.what());
  }
}

// Refuses types that the contract does not list. Returns the type that all tensors of the argument share.
template <class Argument>
at::ScalarType check_types(const char* op, const char* name, const Argument& argument,
                           const std::vector<at::ScalarType>& allowed) {
  at::ScalarType common = allowed.front();
  for (const at::Tensor& tensor : tensors_of(argument)) {
    common = tensor.scalar_type();
    TORCH_CHECK(std::find(allowed.begin(), allowed.end(), common) != allowed.end(), op, ": ", name, " is ", common,
                "; the contract allows ", c10::Join(", ", allowed));
  }
  return common;
}

template <class Argument>
void add_input(KernelArguments& arguments, std::vector<at::Tensor>& kept, const char* name, const Argument& argument,
               bool strided) {
  std::vector<at::Tensor> tensors = tensors_of(argument);
  for (at::Tensor& tensor : tensors) {
    if (!strided) tensor = tensor.contiguous();
    kept.push_back(tensor);
  }
  add_views(arguments, name, tensors);
}

inline void run_kernel(const char* name, opstudio_function function, KernelArguments& inputs, KernelArguments& outputs,
                       const KernelAttributes& attributes) {
  CallState state;
  const opstudio_host host{OPSTUDIO_ABI_VERSION,
                           sizeof(opstudio_host),
                           &state,
                           [](void*, int64_t count, int64_t grain, opstudio_range run, void* argument) {
                             at::parallel_for(0, count, grain, [&](int64_t begin, int64_t end) { run(argument, begin, end); });
                           },
                           CallState::allocate,
                           CallState::fail,
                           nullptr};
  const std::string refusal = call_kernel(function, host, state, inputs, outputs, attributes);
  TORCH_CHECK(refusal.empty(), name, ": ", refusal);
}

// ONNX stores numbers as float32; both runtimes compute with the value that survives export.
inline std::vector<double> as_float32(std::vector<double> numbers) {
  for (double& number : numbers) number = static_cast<float>(number);
  return numbers;
}

// Tensors that backward needs, in groups: one for an input, none for an absent one, several for a variadic one.
class SavedTensors {
 public:
  template <class Argument>
  void add(const Argument& argument) {
    const std::vector<at::Tensor> group = tensors_of(argument);
    tensors_.insert(tensors_.end(), group.begin(), group.end());
    counts_.push_back(static_cast<int64_t>(group.size()));
  }

  void store(torch::autograd::AutogradContext* context) const {
    context->save_for_backward(tensors_);
    context->saved_data["saved_counts"] = counts_;
  }

  static SavedTensors load(torch::autograd::AutogradContext* context) {
    SavedTensors saved;
    saved.tensors_ = context->get_saved_variables();
    saved.counts_ = context->saved_data["saved_counts"].toIntVector();
    return saved;
  }

  std::vector<at::Tensor> group(size_t index) const {
    size_t first = 0;
    for (size_t i = 0; i < index; ++i) first += static_cast<size_t>(counts_[i]);
    return slice_of(tensors_, first, first + static_cast<size_t>(counts_[index]));
  }
  const torch::autograd::variable_list& all() const { return tensors_; }
  at::Tensor one(size_t index) const { return group(index).at(0); }
  std::optional<at::Tensor> optional(size_t index) const {
    const auto found = group(index);
    return found.empty() ? std::nullopt : std::optional<at::Tensor>(found.front());
  }

 private:
  torch::autograd::variable_list tensors_;
  std::vector<int64_t> counts_;
};

// What autograd expects of backward: an entry for each tensor of each input (at least one for an input that is no list),
// and an undefined one for each attribute. `counts` are the tensors of each input, -1 for an absent optional one.
inline torch::autograd::variable_list place_gradients(const std::vector<at::Tensor>& computed, const std::vector<int64_t>& counts,
                                                      const std::vector<bool>& differentiated, size_t attributes) {
  torch::autograd::variable_list result;
  size_t next = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0) result.emplace_back();
    for (int64_t k = 0; k < counts[i]; ++k) result.push_back(differentiated[i] ? computed.at(next++) : at::Tensor());
  }
  result.resize(result.size() + attributes);
  return result;
}

// How many tensors an input brings, or -1 for an optional one that is absent.
inline int64_t count_of(const at::Tensor&) { return 1; }
inline int64_t count_of(const std::optional<at::Tensor>& tensor) { return tensor && tensor->defined() ? 1 : -1; }
inline int64_t count_of(at::TensorList tensors) { return static_cast<int64_t>(tensors.size()); }

}  // namespace opstudio::host
