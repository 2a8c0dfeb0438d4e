// Reading what the runtime hands over: shapes, attributes and values.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "inferred_size.h"
#include "opstudio_host/kernel_call.h"
#include "opstudio_host/operator_description.h"
#include "ort_abi.h"

namespace opstudio::host {

// A shape that is released when it goes out of scope.
class ShapeInfo {
 public:
  ~ShapeInfo() {
    if (info_ != nullptr) ort::release_shape(info_);
  }
  OrtTensorTypeAndShapeInfo** receive() { return &info_; }
  OrtTensorTypeAndShapeInfo* get() const { return info_; }

 private:
  OrtTensorTypeAndShapeInfo* info_ = nullptr;
};

inline ort::Status plain_sizes(const OrtTensorTypeAndShapeInfo* info, std::vector<int64_t>& result) {
  size_t rank = 0;
  OPSTUDIO_ORT_TRY(ort::rank_of(info, &rank));
  result.resize(rank);
  return ort::dimensions(info, result.data(), rank);
}

inline ort::Status inferred_sizes(const OrtTensorTypeAndShapeInfo* info, std::vector<InferredSize>& result) {
  std::vector<int64_t> plain;
  OPSTUDIO_ORT_TRY(plain_sizes(info, plain));
  std::vector<const char*> names(plain.size(), "");
  OPSTUDIO_ORT_TRY(ort::symbolic_dimensions(info, names.data(), names.size()));
  for (size_t i = 0; i < plain.size(); ++i) {
    result.push_back(plain[i] >= 0 ? InferredSize(plain[i]) : InferredSize::unknown(names[i] ? names[i] : ""));
  }
  return nullptr;
}

// Values of one attribute, whatever its kind.
struct AttributeStorage {
  std::vector<int64_t> integers;
  std::vector<double> numbers;
  std::string text;
};

inline AttributeStorage default_value(const Attribute& attribute) {
  return {attribute.integers, attribute.numbers, attribute.text};
}

constexpr int32_t kAbsent = -1;
constexpr int32_t kEmptyList = -2;

// The kind of a node's attribute. The runtime reads a list of any other kind as an empty one, without an error.
inline int32_t kind_of_attribute(const OrtKernelInfo* info, const char* name) {
  int64_t integer = 0;
  float number = 0;
  size_t length = 0, integers = 0, numbers = 0;
  if (!ort::failed(ort::attribute_int(info, name, &integer))) return OPSTUDIO_ATTRIBUTE_INT;
  if (!ort::failed(ort::attribute_float(info, name, &number))) return OPSTUDIO_ATTRIBUTE_FLOAT;
  if (!ort::failed(ort::attribute_string(info, name, nullptr, &length))) return OPSTUDIO_ATTRIBUTE_STRING;
  const bool present = !ort::failed(ort::attribute_ints(info, name, nullptr, &integers));
  ort::failed(ort::attribute_floats(info, name, nullptr, &numbers));
  if (integers > 0) return OPSTUDIO_ATTRIBUTE_INTS;
  if (numbers > 0) return OPSTUDIO_ATTRIBUTE_FLOATS;
  return present ? kEmptyList : kAbsent;
}

inline ort::Status read_as_declared(const OrtKernelInfo* info, const Attribute& attribute, AttributeStorage& result) {
  const char* name = attribute.name.c_str();
  size_t count = 0;
  switch (attribute.kind) {
    case OPSTUDIO_ATTRIBUTE_INT:
    case OPSTUDIO_ATTRIBUTE_BOOL:
      result.integers.resize(1);
      return ort::attribute_int(info, name, result.integers.data());
    case OPSTUDIO_ATTRIBUTE_FLOAT: {
      float value = 0;
      OPSTUDIO_ORT_TRY(ort::attribute_float(info, name, &value));
      result.numbers.assign(1, value);
      return nullptr;
    }
    case OPSTUDIO_ATTRIBUTE_STRING: {
      OPSTUDIO_ORT_TRY(ort::attribute_string(info, name, nullptr, &count));
      result.text.resize(count);
      OPSTUDIO_ORT_TRY(ort::attribute_string(info, name, result.text.data(), &count));
      result.text.resize(std::strlen(result.text.c_str()));
      return nullptr;
    }
    case OPSTUDIO_ATTRIBUTE_INTS: {
      OPSTUDIO_ORT_TRY(ort::attribute_ints(info, name, nullptr, &count));
      result.integers.resize(count);
      return ort::attribute_ints(info, name, result.integers.data(), &count);
    }
    default: {
      OPSTUDIO_ORT_TRY(ort::attribute_floats(info, name, nullptr, &count));
      std::vector<float> values(count);
      OPSTUDIO_ORT_TRY(ort::attribute_floats(info, name, values.data(), &count));
      result.numbers.assign(values.begin(), values.end());
      return nullptr;
    }
  }
}

// Reads an attribute of a node. An absent one has its default; one of another kind is an error, never its default.
inline ort::Status read_node_attribute(const OrtKernelInfo* info, const Attribute& attribute, AttributeStorage& result) {
  const int32_t kind = kind_of_attribute(info, attribute.name.c_str());
  if (kind == kAbsent && attribute.has_default) {
    result = default_value(attribute);
    return nullptr;
  }
  const bool is_list = attribute.kind == OPSTUDIO_ATTRIBUTE_INTS || attribute.kind == OPSTUDIO_ATTRIBUTE_FLOATS;
  const int32_t declared = attribute.kind == OPSTUDIO_ATTRIBUTE_BOOL ? int32_t{OPSTUDIO_ATTRIBUTE_INT} : attribute.kind;
  if (kind == declared || (kind == kEmptyList && is_list)) return read_as_declared(info, attribute, result);
  const std::string text = kind == kAbsent
                               ? "the node lacks attribute " + attribute.name + ", which has no default"
                               : "attribute " + attribute.name + " of the node is of another kind than the contract says";
  return ort::create_status(ort::kInvalidArgument, text.c_str());
}

// Shape rules read integers and texts, and of numbers only how many there are.
inline AttributeStorage read_inference_attribute(const OrtShapeInferContext* context, const Attribute& attribute) {
  AttributeStorage result = default_value(attribute);
  const OrtOpAttr* found = nullptr;
  if (ort::failed(ort::inference_attribute(context, attribute.name.c_str(), &found)) || found == nullptr) return result;
  const auto read_all = [&](int type, std::vector<char>& buffer) {
    size_t bytes = 0;
    // The first call fails for want of room and says how much is needed.
    ort::failed(ort::read_attribute(found, type, nullptr, 0, &bytes));
    buffer.resize(bytes);
    return !ort::failed(ort::read_attribute(found, type, buffer.data(), bytes, &bytes));
  };
  std::vector<char> buffer;
  switch (attribute.kind) {
    case OPSTUDIO_ATTRIBUTE_INT:
    case OPSTUDIO_ATTRIBUTE_BOOL: {
      int64_t value = 0;
      size_t bytes = 0;
      if (!ort::failed(ort::read_attribute(found, ort::kInt, &value, sizeof value, &bytes))) result.integers.assign(1, value);
      break;
    }
    case OPSTUDIO_ATTRIBUTE_INTS:
      if (!read_all(ort::kInts, buffer)) break;
      result.integers.resize(buffer.size() / sizeof(int64_t));
      std::memcpy(result.integers.data(), buffer.data(), result.integers.size() * sizeof(int64_t));
      break;
    case OPSTUDIO_ATTRIBUTE_FLOATS: {
      if (!read_all(ort::kFloats, buffer)) break;
      std::vector<float> numbers(buffer.size() / sizeof(float));
      std::memcpy(numbers.data(), buffer.data(), numbers.size() * sizeof(float));
      result.numbers.assign(numbers.begin(), numbers.end());
      break;
    }
    case OPSTUDIO_ATTRIBUTE_STRING:
      if (read_all(ort::kString, buffer)) result.text.assign(buffer.data(), strnlen(buffer.data(), buffer.size()));
      break;
    default: break;
  }
  return result;
}

}  // namespace opstudio::host
