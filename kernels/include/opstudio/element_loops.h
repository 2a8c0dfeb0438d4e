// Code for the type of a tensor: chosen by `dispatch`, or loops that bring elements of any type to one to compute in.
#ifndef OPSTUDIO_ELEMENT_LOOPS_H
#define OPSTUDIO_ELEMENT_LOOPS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opstudio/element_types.h"
#include "opstudio/error.h"
#include "opstudio/half_loops.h"

namespace opstudio {

// Elements that one piece of an element-wise loop handles: enough to outweigh handing it to a thread.
constexpr int64_t kElementGrain = 32768;

// Strided loops gain nothing from vector code, but compilers spend a third of their time on trying.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define OPSTUDIO_NO_VECTORIZE __attribute__((optimize("no-tree-vectorize")))
#else
#define OPSTUDIO_NO_VECTORIZE
#endif

// Tells compilers that the elements of a loop do not depend on each other, so that an output which may also be an input
// does not stand in the way of vector code.
#if defined(__clang__)
#define OPSTUDIO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define OPSTUDIO_INDEPENDENT _Pragma("GCC ivdep")
#else
#define OPSTUDIO_INDEPENDENT
#endif

// How elements of a type get into buffers of the type to compute in, and out of them. `gather` and `scatter` copy
// elements as they are, from and to equal steps. `widen` and `narrow` convert neighbours between a half type and float;
// they are null for other types, which are computed as they are.
struct ElementLoops {
  int32_t type;
  int64_t size;
  void (*gather)(const void* from, int64_t stride, int64_t count, void* buffer);
  void (*scatter)(const void* buffer, void* to, int64_t stride, int64_t count);
  void (*widen)(const void* from, int64_t count, void* buffer);
  void (*narrow)(const void* buffer, void* to, int64_t count);

  bool converts() const { return widen != nullptr; }
};

namespace detail {

// Elements that are converted or gathered at a time: few enough for the buffers of several tensors to stay in the
// first-level cache.
constexpr int64_t kBlock = 256;

template <size_t Size>
OPSTUDIO_NO_VECTORIZE void gather(const void* from, int64_t stride, int64_t count, void* buffer) {
  const auto* source = static_cast<const char*>(from);
  auto* target = static_cast<char*>(buffer);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(target, source, Size);
    source += stride * static_cast<int64_t>(Size), target += Size;
  }
}

template <size_t Size>
OPSTUDIO_NO_VECTORIZE void scatter(const void* buffer, void* to, int64_t stride, int64_t count) {
  const auto* source = static_cast<const char*>(buffer);
  auto* target = static_cast<char*>(to);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(target, source, Size);
    source += Size, target += stride * static_cast<int64_t>(Size);
  }
}

template <class T>
void widen(const void* from, int64_t count, void* buffer) {
  auto* const values = static_cast<compute_t<T>*>(buffer);
  for (int64_t i = 0; i < count; ++i) values[i] = compute_t<T>(static_cast<const T*>(from)[i]);
}

template <class T>
void narrow(const void* buffer, void* to, int64_t count) {
  const auto* const values = static_cast<const compute_t<T>*>(buffer);
  for (int64_t i = 0; i < count; ++i) static_cast<T*>(to)[i] = T(values[i]);
}

#ifdef OPSTUDIO_SHARED_TEMPLATE
OPSTUDIO_SHARED_TEMPLATE void gather<1>(const void*, int64_t, int64_t, void*);
OPSTUDIO_SHARED_TEMPLATE void gather<2>(const void*, int64_t, int64_t, void*);
OPSTUDIO_SHARED_TEMPLATE void gather<4>(const void*, int64_t, int64_t, void*);
OPSTUDIO_SHARED_TEMPLATE void gather<8>(const void*, int64_t, int64_t, void*);
OPSTUDIO_SHARED_TEMPLATE void scatter<1>(const void*, void*, int64_t, int64_t);
OPSTUDIO_SHARED_TEMPLATE void scatter<2>(const void*, void*, int64_t, int64_t);
OPSTUDIO_SHARED_TEMPLATE void scatter<4>(const void*, void*, int64_t, int64_t);
OPSTUDIO_SHARED_TEMPLATE void scatter<8>(const void*, void*, int64_t, int64_t);
OPSTUDIO_SHARED_TEMPLATE void widen<float16>(const void*, int64_t, void*);
OPSTUDIO_SHARED_TEMPLATE void widen<bfloat16>(const void*, int64_t, void*);
OPSTUDIO_SHARED_TEMPLATE void narrow<float16>(const void*, void*, int64_t);
OPSTUDIO_SHARED_TEMPLATE void narrow<bfloat16>(const void*, void*, int64_t);
#endif

template <class T>
constexpr ElementLoops loops_of() {
  constexpr bool kConverts = !std::is_same_v<T, compute_t<T>>;
  return {type_code<T>::value, sizeof(T), gather<sizeof(T)>, scatter<sizeof(T)>, kConverts ? widen<T> : nullptr,
          kConverts ? narrow<T> : nullptr};
}

[[noreturn]] OPSTUDIO_SHARED void refuse_type(int32_t type) {
  throw Error("the kernel has no code for ", type_name(type));
}

OPSTUDIO_SHARED ElementLoops choose_loops(const ElementLoops* candidates, int count, int32_t type) {
  const ElementLoops* found = candidates;
  while (found != candidates + count && found->type != type) ++found;
  if (found == candidates + count) refuse_type(type);
  ElementLoops loops = *found;
  if (type == OPSTUDIO_FLOAT16 && has_half_instructions()) {
    loops.widen = widen_halves;
    loops.narrow = narrow_halves;
  }
  return loops;
}

template <class... Ts>
ElementLoops find_loops(Types<Ts...>, int32_t type) {
  static constexpr ElementLoops kLoops[] = {loops_of<Ts>()...};
  return choose_loops(kLoops, sizeof...(Ts), type);
}

template <class F, class... Ts>
void dispatch_over(Types<Ts...>, int32_t type, F& body) {
  const bool found = ((type == type_code<Ts>::value ? (body(Tag<Ts>()), true) : false) || ...);
  if (!found) refuse_type(type);
}

// Out of line, so that types which compute in one type share its code.
template <class C, class F>
OPSTUDIO_NOINLINE void call_for(F& body) {
  body(Tag<C>());
}

}  // namespace detail

// The loops of an element type; throws when it is not in the list.
template <class List>
ElementLoops element_loops(int32_t type) {
  return detail::find_loops(List(), type);
}

// Calls body(Tag<T>()) with the type of the list that `type` stands for; throws when it is not in the list.
template <class List, class F>
void dispatch(int32_t type, F&& body) {
  detail::dispatch_over(List(), type, body);
}

// The same with the type to compute in: `body` is compiled for float and double where the list has the half types too.
template <class List, class F>
void dispatch_compute(int32_t type, F&& body) {
  const auto select = [&](auto tag) { detail::call_for<compute_t<typename decltype(tag)::type>>(body); };
  detail::dispatch_over(List(), type, select);
}

}  // namespace opstudio

#endif
