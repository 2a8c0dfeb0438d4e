// Tensors of PyTorch as a kernel sees them.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "opstudio/abi.h"
#include "opstudio_host/kernel_call.h"

namespace opstudio::host {

// The element type of a tensor as the kernel interface numbers it, or 0.
inline int32_t type_code(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return OPSTUDIO_FLOAT32;
    case at::kDouble: return OPSTUDIO_FLOAT64;
    case at::kHalf: return OPSTUDIO_FLOAT16;
    case at::kBFloat16: return OPSTUDIO_BFLOAT16;
    case at::kChar: return OPSTUDIO_INT8;
    case at::kShort: return OPSTUDIO_INT16;
    case at::kInt: return OPSTUDIO_INT32;
    case at::kLong: return OPSTUDIO_INT64;
    case at::kByte: return OPSTUDIO_UINT8;
    case at::kBool: return OPSTUDIO_BOOL;
    default: return 0;
  }
}

inline at::ScalarType scalar_type(int32_t code) {
  for (at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kChar, at::kShort, at::kInt,
                              at::kLong, at::kByte, at::kBool}) {
    if (type_code(type) == code) return type;
  }
  TORCH_CHECK(false, "unknown element type ", code);
}

inline void add_views(KernelArguments& arguments, const std::string& name, const std::vector<at::Tensor>& tensors) {
  arguments.begin(name);
  for (const at::Tensor& tensor : tensors) {
    arguments.add(tensor.data_ptr(), tensor.sizes().data(), tensor.strides().data(), static_cast<int32_t>(tensor.dim()),
                  type_code(tensor.scalar_type()));
  }
}

}  // namespace opstudio::host
