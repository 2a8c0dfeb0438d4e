// The dispatcher's stack to the arguments of a kernel, and back.
#pragma once

#include <torch/library.h>

#include <string>
#include <vector>

#include "opstudio_host/kernel_call.h"
#include "opstudio_host/operator_description.h"
#include "opstudio_host/shape_program.h"

namespace opstudio::host {

using torch::jit::Stack;

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
    result.shapes.integers.push_back(integers);
    result.shapes.texts.push_back(text);
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

// What the shape programs need of PyTorch's symbolic sizes; found through the namespace of SymInt.
namespace c10 {

inline SymInt floor_divide(const SymInt& left, const SymInt& right) {
  const auto plain_left = left.maybe_as_int(), plain_right = right.maybe_as_int();
  if (plain_left && plain_right) return SymInt(opstudio::host::floor_divide(*plain_left, *plain_right));
  return left / right;  // symbolic division floors; plain division in C++ does not
}
inline SymInt modulo(const SymInt& left, const SymInt& right) { return left - floor_divide(left, right) * right; }
inline SymInt largest(const SymInt& left, const SymInt& right) { return left.max(right); }
inline SymInt smallest(const SymInt& left, const SymInt& right) { return left.min(right); }
inline bool same(const SymInt& left, const SymInt& right) { return left == right; }
inline int64_t concrete(const SymInt& size) { return size.expect_int(); }
inline std::string size_text(const SymInt& size) {
  const auto plain = size.maybe_as_int();
  return plain ? std::to_string(*plain) : "?";
}

}  // namespace c10
