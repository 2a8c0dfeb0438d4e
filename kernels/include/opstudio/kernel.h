// All that a kernel needs: one include, C++17, no framework.
//
//   #include <opstudio/kernel.h>
//
//   namespace {
//   void forward(const opstudio::Call& call) {
//     const opstudio::View x = call.input("x"), y = call.output("y");
//     opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
//       using T = typename decltype(tag)::type;
//       opstudio::map<T>(call, y, [](auto value) { return value * 2; }, x);
//     });
//   }
//   }  // namespace
//   OPSTUDIO_KERNEL(forward)
#ifndef OPSTUDIO_KERNEL_H
#define OPSTUDIO_KERNEL_H

#include <exception>
#include <utility>

#include "opstudio/abi.h"
#include "opstudio/call.h"
#include "opstudio/element_types.h"
#include "opstudio/error.h"
#include "opstudio/view.h"

namespace opstudio {

// Elements that one piece of an element-wise loop handles: enough to outweigh handing it to a thread.
constexpr int64_t kElementGrain = 32768;

// Strided loops gain nothing from vector code, but compilers spend a third of their time on trying.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define OPSTUDIO_NO_VECTORIZE __attribute__((optimize("no-tree-vectorize")))
#else
#define OPSTUDIO_NO_VECTORIZE
#endif

namespace detail {

template <class F, class... Ts>
void dispatch_over(Types<Ts...>, int32_t type, F& body) {
  const bool found = ((type == type_code<Ts>::value ? (body(Tag<Ts>()), true) : false) || ...);
  OPSTUDIO_CHECK(found, "the kernel has no code for ", type_name(type));
}

// The innermost loops of `map` over `length` elements. Contiguous data gets a loop of its own, which compilers turn
// into vector code; the pragma tells them that an output which is also an input does not stand in the way.
template <class T, class F, size_t... Operands>
void map_contiguous(const void* functor, void* const* pointers, int64_t length, std::index_sequence<Operands...>) {
  const F& compute = *static_cast<const F*>(functor);
  T* const output = static_cast<T*>(pointers[0]);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (int64_t i = 0; i < length; ++i) {
    output[i] = T(compute(compute_t<T>(static_cast<const T*>(pointers[Operands + 1])[i])...));
  }
}

template <class T, class F, size_t... Operands>
OPSTUDIO_NO_VECTORIZE void map_strided(const void* functor, void* const* pointers, const int64_t* strides,
                                       int64_t length, std::index_sequence<Operands...>) {
  const F& compute = *static_cast<const F*>(functor);
  T* const output = static_cast<T*>(pointers[0]);
  for (int64_t i = 0; i < length; ++i) {
    output[i * strides[0]] =
        T(compute(compute_t<T>(static_cast<const T*>(pointers[Operands + 1])[i * strides[Operands + 1]])...));
  }
}

// What differs between two uses of `map`; everything else is compiled once per kernel.
struct MapLoops {
  void (*contiguous)(const void* functor, void* const* pointers, int64_t length);
  void (*strided)(const void* functor, void* const* pointers, const int64_t* strides, int64_t length);
  int64_t element_size;
};

inline void map_views(const Call& call, const View* const* views, void* const* data, int operands,
                      const MapLoops& loops, const void* functor) {
  const Walk walk(views, operands);
  const bool contiguous = walk.is_contiguous();
  call.parallel_for(views[0]->count(), kElementGrain, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t left = walk.inner_size() - begin % walk.inner_size();
      const int64_t length = left < end - begin ? left : end - begin;
      int64_t offsets[kMaximumOperands];
      void* pointers[kMaximumOperands];
      walk.locate(begin, offsets);
      for (int i = 0; i < operands; ++i) pointers[i] = static_cast<char*>(data[i]) + offsets[i] * loops.element_size;
      if (contiguous) {
        loops.contiguous(functor, pointers, length);
      } else {
        loops.strided(functor, pointers, walk.inner_strides(), length);
      }
      begin += length;
    }
  });
}

}  // namespace detail

// Calls body(Tag<T>()) with the type of the list that `type` stands for; throws when it is not in the list.
template <class List, class F>
void dispatch(int32_t type, F&& body) {
  detail::dispatch_over(List(), type, body);
}

// Computes output[i] = compute(inputs[i]...) for every element, on the host's threads. All tensors hold T and have
// one shape; any strides are followed. `compute` takes and returns compute_t<T>: float for the half types.
template <class T, class F, class... Views>
void map(const Call& call, const View& output, const F& compute, const Views&... inputs) {
  constexpr int kOperands = 1 + sizeof...(Views);
  static_assert(kOperands <= detail::kMaximumOperands, "too many tensors for one map");
  using Operands = std::make_index_sequence<sizeof...(Views)>;
  const View* const views[] = {&output, &inputs...};
  void* const data[] = {output.data<T>(), inputs.template data<T>()...};
  const detail::MapLoops loops{
      [](const void* functor, void* const* pointers, int64_t length) {
        detail::map_contiguous<T, F>(functor, pointers, length, Operands());
      },
      [](const void* functor, void* const* pointers, const int64_t* strides, int64_t length) {
        detail::map_strided<T, F>(functor, pointers, strides, length, Operands());
      },
      sizeof(T)};
  detail::map_views(call, views, data, kOperands, loops, &compute);
}

namespace detail {

// The C function around a kernel function: no exception leaves it.
template <void (*Function)(const Call&)>
int32_t run_kernel(const opstudio_call* raw) noexcept {
  const opstudio_host& host = *raw->host;
  try {
    Function(Call(*raw));
    return 0;
  } catch (const std::exception& error) {
    host.fail(host.context, error.what());
  } catch (...) {
    host.fail(host.context, "the kernel threw something that is not a std::exception");
  }
  return 1;
}

template <void (*Forward)(const Call&)>
const opstudio_kernel* make_kernel() {
  static const opstudio_kernel kernel{OPSTUDIO_ABI_VERSION, sizeof(opstudio_kernel), run_kernel<Forward>, nullptr};
  return &kernel;
}

template <void (*Forward)(const Call&), void (*Backward)(const Call&)>
const opstudio_kernel* make_kernel() {
  static const opstudio_kernel kernel{OPSTUDIO_ABI_VERSION, sizeof(opstudio_kernel), run_kernel<Forward>,
                                      run_kernel<Backward>};
  return &kernel;
}

}  // namespace detail
}  // namespace opstudio

// A library that holds several kernels gives each entry point a name of its own and calls it from inside.
#ifdef OPSTUDIO_KERNEL_ENTRY
#define OPSTUDIO_KERNEL_VISIBILITY "hidden"
#else
#define OPSTUDIO_KERNEL_ENTRY opstudio_kernel_entry
#define OPSTUDIO_KERNEL_VISIBILITY "default"
#endif

#ifdef OPSTUDIO_RECORD_THROWS
#include "opstudio/throw_recorder.h"
#else
#define OPSTUDIO_EMIT_THROW_RECORDER
#endif

// Exports the kernel: OPSTUDIO_KERNEL(forward) or OPSTUDIO_KERNEL(forward, backward), once per operator.
#define OPSTUDIO_KERNEL(...)                                                 \
  extern "C" __attribute__((visibility(OPSTUDIO_KERNEL_VISIBILITY)))         \
  const opstudio_kernel* OPSTUDIO_KERNEL_ENTRY(void) {                       \
    return ::opstudio::detail::make_kernel<__VA_ARGS__>();                   \
  }                                                                          \
  OPSTUDIO_EMIT_THROW_RECORDER

#endif
