// The calls by which the studio describes an operator to a host. Both hosts export them.
//
// They are called from one thread, before the operator is registered. One source file of a host includes this header.
#pragma once

#include <utility>

#include "opstudio_host/operator_description.h"

#define OPSTUDIO_EXPORT extern "C" __attribute__((visibility("default")))

namespace opstudio::host {

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
