// What a host knows of an operator: the contract in C++.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opstudio/abi.h"

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
  int version = 1;
  std::string schema;
  std::string backward_schema;  // empty where there is no gradient
  bool strided = false;
  std::vector<Input> inputs;
  std::vector<Attribute> attributes;
  std::vector<Output> outputs;
  std::vector<std::string> texts;   // string constants of the shape programs
  int32_t letter_count = 0;
  std::vector<int32_t> gradient_inputs;  // indices of inputs
  std::vector<int32_t> saved;            // index of an input, or input count + index of an output

  // The type of input `index`, given the types of all inputs before it.
  int32_t output_type(size_t index, const std::vector<int32_t>& input_types) const {
    const Output& output = outputs[index];
    return output.type != 0 ? output.type : input_types[static_cast<size_t>(output.same_type_as)];
  }
};

}  // namespace opstudio::host
