// Arithmetic of shape rules on PyTorch's symbolic sizes; found through the namespace of SymInt.
#pragma once

#include <c10/core/SymInt.h>

#include <string>

#include "opstudio_host/sizes.h"

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
