// Shapes of outputs from shapes of inputs, over any kind of size: plain, unknown, or PyTorch's symbolic ones.
//
// A size type needs: construction from int64_t, + - *, and the free functions floor_divide, modulo, largest, smallest,
// same (whether two sizes agree, or cannot be told apart) and concrete (the plain value; only asked of attributes).
// The instructions are those of app/opstudio/contract/shape_program.py, which holds the same numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "opstudio_host/operator_description.h"
#include "opstudio_host/sizes.h"

namespace opstudio::host {

enum Operation : int64_t {
  kNumber = 0, kLetter, kAttribute, kAttributeItem, kAttributeLength, kTextIs,
  kAdd, kSubtract, kMultiply, kFloorDivide, kModulo, kMaximum, kMinimum,
  kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kNot,
  kJumpIfZero, kJump, kDimension, kStar
};

// Attribute values as the shape programs read them.
struct AttributeValues {
  std::vector<std::vector<int64_t>> integers;  // by attribute; one value, or the items of a list
  std::vector<std::string> texts;              // by attribute; empty where it is not a string
  std::vector<int64_t> lengths;                // by attribute; the number of items of a list

  void add(const std::vector<int64_t>& values, const std::vector<double>& numbers, const std::string& text) {
    integers.push_back(values);
    texts.push_back(text);
    lengths.push_back(static_cast<int64_t>(values.size() + numbers.size()));  // one of them is empty
  }
};

// What the letters of the input patterns stand for in one call.
template <class Size>
struct Letters {
  explicit Letters(int32_t count) : sizes(static_cast<size_t>(count)), stars(static_cast<size_t>(count)) {}
  std::vector<std::optional<Size>> sizes;
  std::vector<std::optional<std::vector<Size>>> stars;
};

namespace detail {

template <class Size>
[[noreturn]] void shape_mismatch(const Input& input, const std::vector<Size>& shape, const std::string& what) {
  std::string text = input.name + " has shape [";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + size_text(shape[i]);
  throw std::invalid_argument(text + "]: " + what);
}

template <class Size>
void bind_size(const Input& input, const std::vector<Size>& shape, size_t axis, const PatternElement& element,
               Letters<Size>& letters) {
  if (element.kind == PatternElement::kNumber) {
    if (!same(shape[axis], Size(element.value)))
      shape_mismatch(input, shape, "the contract fixes axis " + std::to_string(axis) + " to " + std::to_string(element.value));
    return;
  }
  std::optional<Size>& known = letters.sizes[static_cast<size_t>(element.value)];
  if (!known) {
    known = shape[axis];
  } else if (!same(*known, shape[axis])) {
    shape_mismatch(input, shape, "axis " + std::to_string(axis) + " must be " + size_text(*known) + ", as in an earlier input");
  }
}

}  // namespace detail

// Matches one shape against the pattern of its input and notes what the letters stand for.
// Throws std::invalid_argument when they do not fit.
template <class Size>
void bind_letters(const Input& input, const std::vector<Size>& shape, Letters<Size>& letters) {
  if (!input.has_pattern) return;
  size_t stars = 0;
  for (const PatternElement& element : input.pattern) stars += element.kind == PatternElement::kStar;
  const size_t fixed = input.pattern.size() - stars;
  if (stars ? shape.size() < fixed : shape.size() != fixed)
    detail::shape_mismatch(input, shape, "the contract asks for rank " + std::string(stars ? "≥ " : "") + std::to_string(fixed));
  size_t axis = 0;
  for (const PatternElement& element : input.pattern) {
    if (element.kind != PatternElement::kStar) {
      detail::bind_size(input, shape, axis++, element, letters);
      continue;
    }
    std::vector<Size> covered(shape.begin() + static_cast<std::ptrdiff_t>(axis),
                              shape.begin() + static_cast<std::ptrdiff_t>(axis + shape.size() - fixed));
    axis += covered.size();
    std::optional<std::vector<Size>>& known = letters.stars[static_cast<size_t>(element.value)];
    bool fits = !known || known->size() == covered.size();
    for (size_t i = 0; known && fits && i < covered.size(); ++i) fits = same((*known)[i], covered[i]);
    if (!fits) detail::shape_mismatch(input, shape, "its leading dimensions differ from those of an earlier input");
    if (!known) known = std::move(covered);
  }
}

// Runs the shape program of an output.
template <class Size>
std::vector<Size> run_shape_program(const std::vector<int64_t>& program, const Letters<Size>& letters,
                                    const AttributeValues& attributes, const std::vector<std::string>& texts) {
  std::vector<Size> stack, shape;
  const auto pop = [&] {
    Size top = std::move(stack.back());
    stack.pop_back();
    return top;
  };
  const auto binary = [&](auto&& apply) {
    Size right = pop();
    Size left = pop();
    stack.push_back(apply(left, right));
  };
  const auto compare = [&](auto&& apply) {
    binary([&](const Size& left, const Size& right) { return Size(apply(concrete(left), concrete(right)) ? 1 : 0); });
  };
  for (size_t at = 0; at + 1 < program.size(); at += 2) {
    const int64_t operand = program[at + 1];
    const size_t index = static_cast<size_t>(operand);
    switch (program[at]) {
      case kNumber: stack.push_back(Size(operand)); break;
      case kLetter: stack.push_back(letters.sizes[index].value()); break;
      case kAttribute: stack.push_back(Size(attributes.integers[index].at(0))); break;
      case kAttributeItem: stack.push_back(Size(attributes.integers[index].at(static_cast<size_t>(concrete(pop()))))); break;
      case kAttributeLength: stack.push_back(Size(attributes.lengths[index])); break;
      case kTextIs:
        stack.push_back(Size(attributes.texts[static_cast<size_t>(operand >> 32)] == texts[static_cast<size_t>(operand & 0xffffffff)]));
        break;
      case kAdd: binary([](const Size& a, const Size& b) { return Size(a + b); }); break;
      case kSubtract: binary([](const Size& a, const Size& b) { return Size(a - b); }); break;
      case kMultiply: binary([](const Size& a, const Size& b) { return Size(a * b); }); break;
      case kFloorDivide: binary([](const Size& a, const Size& b) { return floor_divide(a, b); }); break;
      case kModulo: binary([](const Size& a, const Size& b) { return modulo(a, b); }); break;
      case kMaximum: binary([](const Size& a, const Size& b) { return largest(a, b); }); break;
      case kMinimum: binary([](const Size& a, const Size& b) { return smallest(a, b); }); break;
      case kEqual: compare([](int64_t a, int64_t b) { return a == b; }); break;
      case kNotEqual: compare([](int64_t a, int64_t b) { return a != b; }); break;
      case kLess: compare([](int64_t a, int64_t b) { return a < b; }); break;
      case kLessOrEqual: compare([](int64_t a, int64_t b) { return a <= b; }); break;
      case kGreater: compare([](int64_t a, int64_t b) { return a > b; }); break;
      case kGreaterOrEqual: compare([](int64_t a, int64_t b) { return a >= b; }); break;
      case kNot: stack.push_back(Size(concrete(pop()) == 0 ? 1 : 0)); break;
      case kJumpIfZero: if (concrete(pop()) == 0) at += 2 * index; break;
      case kJump: at += 2 * index; break;
      case kDimension: shape.push_back(pop()); break;
      case kStar: {
        const std::vector<Size>& covered = letters.stars[index].value();
        shape.insert(shape.end(), covered.begin(), covered.end());
        break;
      }
      default: throw std::logic_error("unknown instruction in a shape program");
    }
  }
  return shape;
}

// The shapes of all outputs. `inputs` holds the shapes of each input: none, one, or several for a variadic one.
// Throws std::invalid_argument or std::domain_error when the shapes do not fit the contract.
template <class Size>
std::vector<std::vector<Size>> infer_shapes(const Operator& op, const std::vector<std::vector<std::vector<Size>>>& inputs,
                                            const AttributeValues& attributes) {
  Letters<Size> letters(op.letter_count);
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (op.inputs[i].arity == Arity::kVariadic) check_given(inputs[i], op.inputs[i].name.c_str());
    for (const std::vector<Size>& shape : inputs[i]) bind_letters(op.inputs[i], shape, letters);
  }
  std::vector<std::vector<Size>> outputs;
  for (const Output& output : op.outputs) {
    outputs.push_back(output.same_shape_as >= 0 ? inputs[static_cast<size_t>(output.same_shape_as)].at(0)
                                                : run_shape_program(output.program, letters, attributes, op.texts));
  }
  return outputs;
}

}  // namespace opstudio::host
