// Gradients that cannot be differentiated again: asking for that is an error, never a silent zero.
#pragma once

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <string>

namespace opstudio::host {

inline bool any_requires_grad(const torch::autograd::variable_list& tensors) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const at::Tensor& tensor) { return tensor.defined() && tensor.requires_grad(); });
}

// Ties results of a backward function to an error, where the caller builds a graph of the backward pass. The error stands
// between them and all that they depend on, so that nobody passes it by.
inline torch::autograd::variable_list once_differentiable(const std::string& name, torch::autograd::variable_list results,
                                                          const torch::autograd::variable_list& gradients,
                                                          const torch::autograd::variable_list& saved) {
  if (!at::GradMode::is_enabled() || !(any_requires_grad(gradients) || any_requires_grad(saved))) return results;
  const auto error = c10::make_intrusive<torch::autograd::Error>(name + " has a gradient but no second derivative",
                                                              torch::autograd::collect_next_edges(gradients, saved));
  for (at::Tensor& result : results) {
    if (!result.defined()) continue;
    result = result.detach();
    torch::autograd::set_history(result, error);
  }
  return results;
}

}  // namespace opstudio::host
