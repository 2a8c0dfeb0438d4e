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

// Reads an attribute of a node; an absent one has its default.
inline ort::Status read_node_attribute(const OrtKernelInfo* info, const Attribute& attribute, AttributeStorage& result) {
  const char* name = attribute.name.c_str();
  const auto absent_or = [&](ort::Status status) -> ort::Status {
    if (status == nullptr || !attribute.has_default) return status;
    ort::release_status(status);
    result = default_value(attribute);
    return nullptr;
  };
  size_t count = 0;
  switch (attribute.kind) {
    case OPSTUDIO_ATTRIBUTE_INT:
    case OPSTUDIO_ATTRIBUTE_BOOL:
      result.integers.resize(1);
      return absent_or(ort::attribute_int(info, name, result.integers.data()));
    case OPSTUDIO_ATTRIBUTE_FLOAT: {
      float value = 0;
      ort::Status status = ort::attribute_float(info, name, &value);
      result.numbers.assign(1, value);
      return absent_or(status);
    }
    case OPSTUDIO_ATTRIBUTE_STRING: {
      if (ort::Status status = ort::attribute_string(info, name, nullptr, &count)) return absent_or(status);
      result.text.resize(count);
      OPSTUDIO_ORT_TRY(ort::attribute_string(info, name, result.text.data(), &count));
      result.text.resize(std::strlen(result.text.c_str()));
      return nullptr;
    }
    case OPSTUDIO_ATTRIBUTE_INTS: {
      if (ort::Status status = ort::attribute_ints(info, name, nullptr, &count)) return absent_or(status);
      result.integers.resize(count);
      return ort::attribute_ints(info, name, result.integers.data(), &count);
    }
    default: {
      if (ort::Status status = ort::attribute_floats(info, name, nullptr, &count)) return absent_or(status);
      std::vector<float> values(count);
      OPSTUDIO_ORT_TRY(ort::attribute_floats(info, name, values.data(), &count));
      result.numbers.assign(values.begin(), values.end());
      return nullptr;
    }
  }
}

// Reads an attribute during shape inference. Only integers and strings take part in shape rules.
inline AttributeStorage read_inference_attribute(const OrtShapeInferContext* context, const Attribute& attribute) {
  AttributeStorage result = default_value(attribute);
  const OrtOpAttr* found = nullptr;
  if (ort::failed(ort::inference_attribute(context, attribute.name.c_str(), &found)) || found == nullptr) return result;
  size_t bytes = 0;
  if (attribute.kind == OPSTUDIO_ATTRIBUTE_INT || attribute.kind == OPSTUDIO_ATTRIBUTE_BOOL) {
    int64_t value = 0;
    if (!ort::failed(ort::read_attribute(found, ort::kInt, &value, sizeof value, &bytes))) result.integers.assign(1, value);
  } else if (attribute.kind == OPSTUDIO_ATTRIBUTE_INTS || attribute.kind == OPSTUDIO_ATTRIBUTE_STRING) {
    const int type = attribute.kind == OPSTUDIO_ATTRIBUTE_INTS ? ort::kInts : ort::kString;
    // The first call fails for want of room and says how much is needed.
    ort::failed(ort::read_attribute(found, type, nullptr, 0, &bytes));
    std::vector<int64_t> buffer((bytes + sizeof(int64_t)) / sizeof(int64_t));
    if (ort::failed(ort::read_attribute(found, type, buffer.data(), bytes, &bytes))) return result;
    if (type == ort::kInts) {
      result.integers.assign(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof(int64_t)));
    } else {
      const char* text = reinterpret_cast<const char*>(buffer.data());
      result.text.assign(text, strnlen(text, bytes));
    }
  }
  return result;
}

}  // namespace opstudio::host
