// The dispatcher's stack to the arguments of a kernel, and back.
#pragma once

#include <torch/library.h>

#include <string>
#include <vector>

#include "opstudio_host/kernel_call.h"
#include "opstudio_host/operator_description.h"
#include "opstudio_host/shape_program.h"
#include "symbolic_sizes.h"
#include "tensor_views.h"

namespace opstudio::host {

using torch::jit::Stack;

// The tensors of one input: none for an absent optional one, any number for a variadic one.
using TensorGroup = std::vector<at::Tensor>;

inline TensorGroup tensor_group(const c10::IValue& value) {
  if (value.isNone()) return {};
  if (value.isTensorList()) return value.toTensorVector();
  return value.toTensor().defined() ? TensorGroup{value.toTensor()} : TensorGroup{};
}

// Attribute values of one call, for the shape programs and for the kernel.
struct CallAttributes {
  AttributeValues shapes;
  KernelAttributes kernel;
};

inline CallAttributes call_attributes(const Operator& op, const c10::IValue* values) {
  CallAttributes result;
  for (size_t i = 0; i < op.attributes.size(); ++i) {
    const Attribute& attribute = op.attributes[i];
    std::vector<int64_t> integers;
    std::vector<double> numbers;
    std::string text;
    switch (attribute.kind) {
      case OPSTUDIO_ATTRIBUTE_INT: integers.push_back(values[i].toInt()); break;
      case OPSTUDIO_ATTRIBUTE_BOOL: integers.push_back(values[i].toBool() ? 1 : 0); break;
      case OPSTUDIO_ATTRIBUTE_STRING: text = values[i].toStringRef(); break;
      case OPSTUDIO_ATTRIBUTE_INTS: integers = values[i].toIntVector(); break;
      // ONNX stores attributes as float32: both runtimes compute with the value that survives export.
      case OPSTUDIO_ATTRIBUTE_FLOAT: numbers.push_back(static_cast<float>(values[i].toDouble())); break;
      case OPSTUDIO_ATTRIBUTE_FLOATS:
        for (double number : values[i].toDoubleVector()) numbers.push_back(static_cast<float>(number));
        break;
      default: TORCH_CHECK(false, "unknown kind of attribute ", attribute.name);
    }
    result.shapes.add(integers, numbers, text);
    result.kernel.add(attribute.name, attribute.kind, std::move(integers), std::move(numbers), std::move(text));
  }
  return result;
}

// Refuses types that the contract does not list.
inline void check_types(const Operator& op, const std::vector<TensorGroup>& inputs, std::vector<int32_t>& types) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Input& input = op.inputs[i];
    int32_t expected = input.same_type_as >= 0 ? types[static_cast<size_t>(input.same_type_as)] : 0;
    for (const at::Tensor& tensor : inputs[i]) {
      const int32_t type = type_code(tensor.scalar_type());
      bool allowed = type != 0 && (expected == 0 || type == expected);
      if (expected == 0) allowed = std::find(input.types.begin(), input.types.end(), type) != input.types.end();
      std::string known;
      for (int32_t other : input.types) known += (known.empty() ? "" : ", ") + std::string(toString(scalar_type(other)));
      TORCH_CHECK(allowed, op.domain, "::", op.name, ": ", input.name, " is ", tensor.scalar_type(), "; the contract allows ",
                  expected == 0 ? known : "the type of " + op.inputs[static_cast<size_t>(input.same_type_as)].name);
      expected = type;
    }
    types.push_back(expected);
  }
}

}  // namespace opstudio::host
