// What a host knows of an operator: the contract in C++, built up by the calls at the end of this file.
//
// Both hosts export these calls, so that the studio describes an operator to either in the same way. They are called
// from one thread before the operator is registered. One source file of a host includes this header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opstudio/abi.h"

#define OPSTUDIO_EXPORT extern "C" __attribute__((visibility("default")))

namespace opstudio::host {

enum class Arity : int32_t { kRequired = 0, kOptional = 1, kVariadic = 2 };

// One element of an input pattern: a letter, a fixed size, or a starred letter for any number of dimensions.
struct PatternElement {
  enum Kind : int64_t { kLetter = 0, kNumber = 1, kStar = 2 };
  int64_t kind;
  int64_t value;  // index of the letter, or the size
};

struct Input {
  std::string name;
  Arity arity;
  int32_t same_type_as;        // index of an earlier input, or -1
  std::vector<int32_t> types;  // what the input may hold where same_type_as is -1
  bool has_pattern;
  std::vector<PatternElement> pattern;
};

struct Attribute {
  std::string name;
  int32_t kind;
  bool has_default;
  std::vector<int64_t> integers;
  std::vector<double> numbers;
  std::string text;
};

struct Output {
  std::string name;
  int32_t type;           // 0 where it is the type of an input
  int32_t same_type_as;   // index of that input
  int32_t same_shape_as;  // index of an input, or -1
  std::vector<int64_t> program;
};

struct Operator {
  std::string domain;
  std::string name;
  std::string onnx_type;
  int version;
  std::string schema;
  std::string backward_schema;  // empty where there is no gradient
  bool strided;
  std::vector<Input> inputs;
  std::vector<Attribute> attributes;
  std::vector<Output> outputs;
  std::vector<std::string> texts;   // string constants of the shape programs
  int32_t letter_count = 0;
  std::vector<int32_t> gradient_inputs;  // indices of inputs
  std::vector<int32_t> saved;            // index of an input, or input count + index of an output
  std::vector<int32_t> inplace;          // inputs whose memory the output of the same position may reuse

  // The type of input `index`, given the types of all inputs before it.
  int32_t output_type(size_t index, const std::vector<int32_t>& input_types) const {
    const Output& output = outputs[index];
    return output.type != 0 ? output.type : input_types[static_cast<size_t>(output.same_type_as)];
  }
};

inline Operator& as_operator(void* handle) { return *static_cast<Operator*>(handle); }

}  // namespace opstudio::host

OPSTUDIO_EXPORT void* opstudio_describe(const char* domain, const char* name, const char* onnx_type,
                                               int32_t version, const char* schema, const char* backward_schema,
                                               int32_t strided) {
  auto* result = new opstudio::host::Operator;
  result->domain = domain;
  result->name = name;
  result->onnx_type = onnx_type;
  result->version = version;
  result->schema = schema;
  result->backward_schema = backward_schema;
  result->strided = strided != 0;
  return result;
}

OPSTUDIO_EXPORT void opstudio_add_input(void* handle, const char* name, int32_t arity, int32_t same_type_as,
                                               const int32_t* types, int32_t type_count, const int64_t* pattern,
                                               int32_t pattern_count) {
  opstudio::host::Input input{name, static_cast<opstudio::host::Arity>(arity), same_type_as,
                             {types, types + type_count}, pattern_count >= 0, {}};
  for (int32_t i = 0; i < pattern_count; ++i) input.pattern.push_back({pattern[2 * i], pattern[2 * i + 1]});
  opstudio::host::as_operator(handle).inputs.push_back(std::move(input));
}

OPSTUDIO_EXPORT void opstudio_add_attribute(void* handle, const char* name, int32_t kind, int32_t has_default,
                                                   const int64_t* integers, int32_t integer_count,
                                                   const double* numbers, int32_t number_count, const char* text) {
  opstudio::host::as_operator(handle).attributes.push_back(
      {name, kind, has_default != 0, {integers, integers + integer_count}, {numbers, numbers + number_count}, text});
}

OPSTUDIO_EXPORT void opstudio_add_output(void* handle, const char* name, int32_t type, int32_t same_type_as,
                                                int32_t same_shape_as, const int64_t* program, int32_t length) {
  opstudio::host::as_operator(handle).outputs.push_back(
      {name, type, same_type_as, same_shape_as, {program, program + length}});
}

OPSTUDIO_EXPORT void opstudio_set_shape_constants(void* handle, int32_t letter_count, const char* const* texts,
                                                         int32_t text_count) {
  opstudio::host::as_operator(handle).letter_count = letter_count;
  opstudio::host::as_operator(handle).texts.assign(texts, texts + text_count);
}

OPSTUDIO_EXPORT void opstudio_set_gradient(void* handle, const int32_t* inputs, int32_t input_count,
                                                  const int32_t* saved, int32_t saved_count) {
  opstudio::host::as_operator(handle).gradient_inputs.assign(inputs, inputs + input_count);
  opstudio::host::as_operator(handle).saved.assign(saved, saved + saved_count);
}

OPSTUDIO_EXPORT void opstudio_set_inplace(void* handle, const int32_t* inputs, int32_t count) {
  opstudio::host::as_operator(handle).inplace.assign(inputs, inputs + count);
}
