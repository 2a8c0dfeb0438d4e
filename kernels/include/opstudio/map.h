// An operator that computes every element by itself.
#ifndef OPSTUDIO_MAP_H
#define OPSTUDIO_MAP_H

#include <cstdint>
#include <utility>

#include "opstudio/call.h"
#include "opstudio/elements.h"
#include "opstudio/instruction_sets.h"

namespace opstudio {
namespace detail {

// The function of a `map` over values side by side.
template <class C, class F, class... Inputs>
OPSTUDIO_INLINE void compute_values(const F& compute, C* output, int64_t length, const Inputs*... inputs) {
  OPSTUDIO_INDEPENDENT
  for (int64_t i = 0; i < length; ++i) output[i] = compute(inputs[i]...);
}

// The only code of a `map` that is compiled for each function. Vectors of 16 bytes are too narrow for the speed of memory,
// hence a build for wider ones, without joined products and sums, so that both give the same to the bit.
template <class C, class F, size_t... Operands>
struct MapBlock {
  OPSTUDIO_INLINE static void run(const void* functor, void* const* pointers, int64_t length) {
    compute_values(*static_cast<const F*>(functor), static_cast<C*>(pointers[0]), length,
                   static_cast<const C*>(pointers[Operands + 1])...);
  }

  OPSTUDIO_PLAIN static void plain(const void* functor, void* const* pointers, int64_t length) {
    run(functor, pointers, length);
  }
#if OPSTUDIO_HAS_WIDE_BUILDS
  OPSTUDIO_AVX2_ALONE static void avx2(const void* functor, void* const* pointers, int64_t length) {
    run(functor, pointers, length);
  }
  static auto choose() { return has_avx2() ? avx2 : plain; }
#else
  static auto choose() { return plain; }
#endif
};

// One `map`; everything in here is compiled once per kernel.
class Map {
 public:
  using Compute = void (*)(const void* functor, void* const* pointers, int64_t length);

  OPSTUDIO_SHARED Map(const View* const* views, int operands, const ElementLoops& loops)
      : views_(views), operands_(operands), loops_(loops), walk_(views, operands) {}

  OPSTUDIO_SHARED void run(const Call& call, Compute compute, const void* functor) const {
    call.parallel_for(views_[0]->count(), kElementGrain, [&](int64_t begin, int64_t end) {
      while (begin < end) begin += run_row(compute, functor, begin, end);
    });
  }

 private:
  // Runs over the elements from `begin` that have constant strides; returns how many these are.
  OPSTUDIO_SHARED int64_t run_row(Compute compute, const void* functor, int64_t begin, int64_t end) const {
    const int64_t left = walk_.inner_size() - begin % walk_.inner_size();
    const int64_t length = left < end - begin ? left : end - begin;
    int64_t offsets[kMaximumOperands];
    walk_.locate(begin, offsets);
    bool is_ready = !loops_.converts();
    for (int i = 0; i < operands_; ++i) is_ready = is_ready && walk_.inner_strides()[i] == 1;
    const int64_t block = is_ready ? length : kBlock;
    for (int64_t done = 0; done < length; done += block) {
      run_block(compute, functor, offsets, block < length - done ? block : length - done);
      for (int i = 0; i < operands_; ++i) offsets[i] += block * walk_.inner_strides()[i];
    }
    return length;
  }

  OPSTUDIO_SHARED void run_block(Compute compute, const void* functor, const int64_t* offsets, int64_t count) const {
    alignas(64) char buffers[kMaximumOperands][kBlock * sizeof(double)];
    const int64_t* const strides = walk_.inner_strides();
    void* pointers[kMaximumOperands];
    for (int i = 1; i < operands_; ++i) {
      const Elements input(*views_[i], loops_);
      pointers[i] = const_cast<void*>(input.load<void>(offsets[i], strides[i], count, buffers[i]));
    }
    const Elements output(*views_[0], loops_);
    pointers[0] = output.place<void>(offsets[0], strides[0], buffers[0]);
    compute(functor, pointers, count);
    output.store(pointers[0], offsets[0], strides[0], count);
  }

  const View* const* views_;
  int operands_;
  ElementLoops loops_;
  Walk walk_;
};

template <class TypeOrList>
struct as_list {
  using type = Types<TypeOrList>;
};
template <class... Ts>
struct as_list<Types<Ts...>> {
  using type = Types<Ts...>;
};

template <class List, class F, size_t... Operands>
void map_views(const Call& call, const View* const* views, const F& compute, std::index_sequence<Operands...>) {
  const Map map(views, 1 + sizeof...(Operands), element_loops<List>(views[0]->type()));
  dispatch_compute<List>(views[0]->type(), [&](auto tag) {
    map.run(call, MapBlock<typename decltype(tag)::type, F, Operands...>::choose(), &compute);
  });
}

}  // namespace detail

// Computes output[i] = compute(inputs[i]...) for every element, on the host's threads. All tensors have one shape and
// one type, which is of the list (or the type given instead of a list); any strides are followed. `compute` takes and
// returns values of the type to compute in: float for the half types. A generic lambda is compiled once for each of
// those, not for each type of the list.
template <class TypeOrList, class F, class... Views>
void map(const Call& call, const View& output, const F& compute, const Views&... inputs) {
  static_assert(1 + sizeof...(Views) <= detail::kMaximumOperands, "too many tensors for one map");
  const View* const views[] = {&output, &inputs...};
  detail::map_views<typename detail::as_list<TypeOrList>::type>(call, views, compute,
                                                                std::index_sequence_for<Views...>());
}

}  // namespace opstudio

#endif
