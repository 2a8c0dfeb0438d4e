// All that a kernel needs: one include, C++17, no framework.
//
//   #include <opstudio/kernel.h>
//
//   namespace {
//   void forward(const opstudio::Call& call) {
//     const opstudio::View x = call.input("x"), y = call.output("y");
//     opstudio::map<opstudio::FloatingTypes>(call, y, [](auto value) { return value * 2; }, x);
//   }
//   }  // namespace
//   OPSTUDIO_KERNEL(forward)
#ifndef OPSTUDIO_KERNEL_H
#define OPSTUDIO_KERNEL_H

#include <exception>
#include <type_traits>
#include <utility>

#include "opstudio/abi.h"
#include "opstudio/call.h"
#include "opstudio/element_types.h"
#include "opstudio/error.h"
#include "opstudio/half_loops.h"
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

// Tells compilers that an output which is also an input does not stand in the way of vector code.
#if defined(__clang__)
#define OPSTUDIO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define OPSTUDIO_INDEPENDENT _Pragma("GCC ivdep")
#else
#define OPSTUDIO_INDEPENDENT
#endif

namespace detail {

template <class F, class... Ts>
void dispatch_over(Types<Ts...>, int32_t type, F& body) {
  const bool found = ((type == type_code<Ts>::value ? (body(Tag<Ts>()), true) : false) || ...);
  OPSTUDIO_CHECK(found, "the kernel has no code for ", type_name(type));
}

// Elements that are converted or gathered at a time: few enough for the buffers of all tensors to stay in the
// first-level cache.
constexpr int64_t kBlock = 256;

// The function of a `map` over contiguous values of the type that it computes in: the only loop of a `map` that is
// compiled for each function.
template <class C, class F, size_t... Operands>
void compute_block(const void* functor, void* const* pointers, int64_t length) {
  const F& compute = *static_cast<const F*>(functor);
  C* const output = static_cast<C*>(pointers[0]);
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < length; ++i) output[i] = compute(static_cast<const C*>(pointers[Operands + 1])[i]...);
}

// Reads elements of a tensor into a buffer of the type to compute in.
template <class T>
OPSTUDIO_NO_VECTORIZE void gather(const void* from, int64_t stride, int64_t length, void* buffer) {
  auto* const values = static_cast<compute_t<T>*>(buffer);
  for (int64_t i = 0; i < length; ++i) values[i] = compute_t<T>(static_cast<const T*>(from)[i * stride]);
}

// Writes a buffer to elements of a tensor.
template <class T>
OPSTUDIO_NO_VECTORIZE void scatter(const void* buffer, void* to, int64_t stride, int64_t length) {
  const auto* const values = static_cast<const compute_t<T>*>(buffer);
  for (int64_t i = 0; i < length; ++i) static_cast<T*>(to)[i * stride] = T(values[i]);
}

// The same for neighbours that only need to be converted.
template <class T>
void widen(const void* from, int64_t length, void* buffer) {
  auto* const values = static_cast<compute_t<T>*>(buffer);
  for (int64_t i = 0; i < length; ++i) values[i] = compute_t<T>(static_cast<const T*>(from)[i]);
}

template <class T>
void narrow(const void* buffer, void* to, int64_t length) {
  const auto* const values = static_cast<const compute_t<T>*>(buffer);
  for (int64_t i = 0; i < length; ++i) static_cast<T*>(to)[i] = T(values[i]);
}

// How elements of a type get into buffers and out of them. `widen` and `narrow` are null where the type is the one to
// compute in.
struct ElementLoops {
  int32_t type;
  int64_t size;
  void (*gather)(const void* from, int64_t stride, int64_t length, void* buffer);
  void (*scatter)(const void* buffer, void* to, int64_t stride, int64_t length);
  void (*widen)(const void* from, int64_t length, void* buffer);
  void (*narrow)(const void* buffer, void* to, int64_t length);
};

template <class T>
constexpr ElementLoops element_loops() {
  constexpr bool kConverts = !std::is_same_v<T, compute_t<T>>;
  return {type_code<T>::value, sizeof(T), gather<T>, scatter<T>, kConverts ? widen<T> : nullptr,
          kConverts ? narrow<T> : nullptr};
}

// A `map` for one of its types; everything else is compiled once per kernel.
struct MapLoops {
  ElementLoops elements;
  void (*compute)(const void* functor, void* const* pointers, int64_t length);
};

// Runs a `map` over a run of elements with constant strides, block by block where they cannot be used where they lie.
OPSTUDIO_BRIEF inline void map_run(const MapLoops& loops, const void* functor, int operands, char* const* starts,
                                      const int64_t* strides, int64_t length) {
  const ElementLoops& elements = loops.elements;
  alignas(64) char buffers[kMaximumOperands][kBlock * sizeof(double)];
  bool lies_ready[kMaximumOperands], all_ready = true;
  for (int i = 0; i < operands; ++i) {
    lies_ready[i] = strides[i] == 1 && elements.widen == nullptr;
    all_ready = all_ready && lies_ready[i];
  }
  const int64_t block = all_ready ? length : kBlock;
  for (int64_t begin = 0; begin < length; begin += block) {
    const int64_t count = block < length - begin ? block : length - begin;
    void* pointers[kMaximumOperands];
    char* places[kMaximumOperands];
    for (int i = 0; i < operands; ++i) {
      places[i] = starts[i] + begin * strides[i] * elements.size;
      pointers[i] = lies_ready[i] ? places[i] : buffers[i];
      if (lies_ready[i] || i == 0) continue;
      if (strides[i] == 1) {
        elements.widen(places[i], count, buffers[i]);
      } else {
        elements.gather(places[i], strides[i], count, buffers[i]);
      }
    }
    loops.compute(functor, pointers, count);
    if (lies_ready[0]) continue;
    if (strides[0] == 1) {
      elements.narrow(buffers[0], places[0], count);
    } else {
      elements.scatter(buffers[0], places[0], strides[0], count);
    }
  }
}

// Runs a `map` over the elements from `begin` to `end`, in row-major order.
OPSTUDIO_BRIEF inline void map_range(const Walk& walk, void* const* data, int operands, const MapLoops& loops,
                                        const void* functor, int64_t begin, int64_t end) {
  while (begin < end) {
    const int64_t left = walk.inner_size() - begin % walk.inner_size();
    const int64_t length = left < end - begin ? left : end - begin;
    int64_t offsets[kMaximumOperands];
    char* starts[kMaximumOperands];
    walk.locate(begin, offsets);
    for (int i = 0; i < operands; ++i) starts[i] = static_cast<char*>(data[i]) + offsets[i] * loops.elements.size;
    map_run(loops, functor, operands, starts, walk.inner_strides(), length);
    begin += length;
  }
}

// Finds the loops of the tensors' type and runs them on the host's threads.
OPSTUDIO_BRIEF inline void map_views(const Call& call, const View* const* views, int operands,
                                        const MapLoops* candidates, int candidate_count, const void* functor) {
  const MapLoops* found = candidates;
  while (found != candidates + candidate_count && found->elements.type != views[0]->type()) ++found;
  OPSTUDIO_CHECK(found != candidates + candidate_count, "the kernel has no code for ", type_name(views[0]->type()));
  MapLoops loops = *found;
  if (loops.elements.type == OPSTUDIO_FLOAT16 && has_half_instructions()) {
    loops.elements.widen = widen_halves;
    loops.elements.narrow = narrow_halves;
  }
  void* data[kMaximumOperands];
  for (int i = 0; i < operands; ++i) data[i] = views[i]->data_of_type(views[0]->type());
  const Walk walk(views, operands);
  call.parallel_for(views[0]->count(), kElementGrain, [&](int64_t begin, int64_t end) {
    map_range(walk, data, operands, loops, functor, begin, end);
  });
}

template <class TypeOrList>
struct as_list {
  using type = Types<TypeOrList>;
};
template <class... Ts>
struct as_list<Types<Ts...>> {
  using type = Types<Ts...>;
};

template <class F, size_t... Operands, class... Ts>
void map_types(const Call& call, const View* const* views, const F& compute, std::index_sequence<Operands...>,
               Types<Ts...>) {
  static const MapLoops loops[] = {{element_loops<Ts>(), compute_block<compute_t<Ts>, F, Operands...>}...};
  map_views(call, views, 1 + sizeof...(Operands), loops, sizeof...(Ts), &compute);
}

}  // namespace detail

// Calls body(Tag<T>()) with the type of the list that `type` stands for; throws when it is not in the list.
template <class List, class F>
void dispatch(int32_t type, F&& body) {
  detail::dispatch_over(List(), type, body);
}

// Computes output[i] = compute(inputs[i]...) for every element, on the host's threads. All tensors have one shape and
// one type, which is of the list (or the type given instead of a list); any strides are followed. `compute` takes and
// returns values of the type to compute in: float for the half types. A generic lambda is compiled once for each of
// those, not for each type of the list.
template <class TypeOrList, class F, class... Views>
void map(const Call& call, const View& output, const F& compute, const Views&... inputs) {
  static_assert(1 + sizeof...(Views) <= detail::kMaximumOperands, "too many tensors for one map");
  const View* const views[] = {&output, &inputs...};
  detail::map_types(call, views, compute, std::index_sequence_for<Views...>(),
                    typename detail::as_list<TypeOrList>::type());
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
