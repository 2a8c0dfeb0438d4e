// Arithmetic of shape rules on plain sizes: division rounds down, as in Python and in PyTorch's symbolic sizes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace opstudio::host {

inline int64_t floor_divide(int64_t left, int64_t right) {
  if (right == 0) throw std::domain_error("the shape rule divides by zero");
  const int64_t quotient = left / right;
  return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}
inline int64_t modulo(int64_t left, int64_t right) { return left - floor_divide(left, right) * right; }
inline int64_t largest(int64_t left, int64_t right) { return left > right ? left : right; }
inline int64_t smallest(int64_t left, int64_t right) { return left < right ? left : right; }
inline bool same(int64_t left, int64_t right) { return left == right; }
inline int64_t concrete(int64_t size) { return size; }
inline std::string size_text(int64_t size) { return std::to_string(size); }

// Refuses a list of tensors that is empty: shapes and types of outputs come from its tensors.
template <class Shapes>
void check_given(const Shapes& shapes, const char* name) {
  if (shapes.empty()) throw std::invalid_argument(std::string(name) + " needs one tensor at least");
}

// Refuses a shape of the wrong rank.
template <class Size>
void check_rank(const std::vector<Size>& shape, size_t rank, bool at_least, const char* name) {
  if (at_least ? shape.size() >= rank : shape.size() == rank) return;
  throw std::invalid_argument(std::string(name) + " has rank " + std::to_string(shape.size()) + ", the contract asks for " +
                              (at_least ? "at least " : "") + std::to_string(rank));
}

// Refuses a size that differs from what the contract, or an earlier input, says it is.
template <class Size>
void check_size(const Size& size, const Size& wanted, const char* name, size_t axis) {
  if (same(size, wanted)) return;
  throw std::invalid_argument("axis " + std::to_string(axis) + " of " + name + " is " + size_text(size) + ", it must be " +
                              size_text(wanted));
}

template <class Size>
void check_sizes(const std::vector<Size>& sizes, const std::vector<Size>& wanted, const char* name, size_t first) {
  check_rank(sizes, wanted.size(), false, name);
  for (size_t i = 0; i < sizes.size(); ++i) check_size(sizes[i], wanted[i], name, first + i);
}

template <class Size>
std::vector<Size> join_sizes(const std::vector<std::vector<Size>>& pieces) {
  std::vector<Size> joined;
  for (const std::vector<Size>& piece : pieces) joined.insert(joined.end(), piece.begin(), piece.end());
  return joined;
}

}  // namespace opstudio::host
