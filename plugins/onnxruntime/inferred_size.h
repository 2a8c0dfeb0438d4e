// Sizes as the runtime's shape inference knows them: numbers, or names of dimensions that vary.
#pragma once

#include <cstdint>
#include <string>

#include "opstudio_host/shape_program.h"

namespace opstudio::host {

// A size that may be unknown; an unknown one has the name of its dimension where it has one.
struct InferredSize {
  InferredSize(int64_t number = 0) : value(number) {}  // NOLINT: shape programs convert from numbers
  static InferredSize unknown(std::string name) {
    InferredSize size(-1);
    size.known = false;
    size.name = std::move(name);
    return size;
  }

  int64_t value;
  bool known = true;
  std::string name;
};

template <class F>
InferredSize combine(const InferredSize& left, const InferredSize& right, F&& apply) {
  return left.known && right.known ? InferredSize(apply(left.value, right.value)) : InferredSize::unknown("");
}

inline bool is_number(const InferredSize& size, int64_t number) { return size.known && size.value == number; }

// Adding 0 and multiplying by 1 keep the name, so that common rules hand named dimensions through.
inline InferredSize operator+(const InferredSize& left, const InferredSize& right) {
  if (is_number(right, 0)) return left;
  if (is_number(left, 0)) return right;
  return combine(left, right, [](int64_t a, int64_t b) { return a + b; });
}
inline InferredSize operator-(const InferredSize& left, const InferredSize& right) {
  return is_number(right, 0) ? left : combine(left, right, [](int64_t a, int64_t b) { return a - b; });
}
inline InferredSize operator*(const InferredSize& left, const InferredSize& right) {
  if (is_number(right, 1)) return left;
  if (is_number(left, 1)) return right;
  return combine(left, right, [](int64_t a, int64_t b) { return a * b; });
}
inline InferredSize floor_divide(const InferredSize& left, const InferredSize& right) {
  if (is_number(right, 1)) return left;
  return combine(left, right, [](int64_t a, int64_t b) { return floor_divide(a, b); });
}
inline InferredSize modulo(const InferredSize& left, const InferredSize& right) {
  return combine(left, right, [](int64_t a, int64_t b) { return modulo(a, b); });
}
inline InferredSize largest(const InferredSize& left, const InferredSize& right) {
  return combine(left, right, [](int64_t a, int64_t b) { return a > b ? a : b; });
}
inline InferredSize smallest(const InferredSize& left, const InferredSize& right) {
  return combine(left, right, [](int64_t a, int64_t b) { return a < b ? a : b; });
}
// What is unknown may be anything, so it never contradicts.
inline bool same(const InferredSize& left, const InferredSize& right) {
  return !left.known || !right.known || left.value == right.value;
}
inline int64_t concrete(const InferredSize& size) { return size.value; }
inline std::string size_text(const InferredSize& size) {
  return size.known ? std::to_string(size.value) : size.name.empty() ? "?" : size.name;
}

}  // namespace opstudio::host
