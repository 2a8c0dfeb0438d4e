// An element-wise operator that computes much: `map` built for several instruction sets.
#ifndef OPSTUDIO_WIDE_MAP_H
#define OPSTUDIO_WIDE_MAP_H

#include <cstdint>
#include <utility>

#include "opstudio/instruction_sets.h"
#include "opstudio/map.h"

namespace opstudio {
namespace detail {

// The loop of a `wide_map`, once for each instruction set.
template <class C, class F, size_t... Operands>
struct WideBlock {
  using Block = MapBlock<C, F, Operands...>;

#if OPSTUDIO_HAS_WIDE_BUILDS
  OPSTUDIO_AVX2 static void avx2(const void* functor, void* const* pointers, int64_t length) {
    Block::run(functor, pointers, length);
  }
  OPSTUDIO_AVX512 static void avx512(const void* functor, void* const* pointers, int64_t length) {
    Block::run(functor, pointers, length);
  }
#endif

  static Map::Compute choose() {
#if OPSTUDIO_HAS_WIDE_BUILDS
    if (has_avx512()) return avx512;
    if (has_avx2()) return avx2;
#endif
    return Block::plain;
  }
};

template <class List, class F, size_t... Operands>
void map_views_widely(const Call& call, const View* const* views, const F& compute, std::index_sequence<Operands...>) {
  const Map map(views, 1 + sizeof...(Operands), element_loops<List>(views[0]->type()));
  dispatch_compute<List>(views[0]->type(), [&](auto tag) {
    map.run(call, WideBlock<typename decltype(tag)::type, F, Operands...>::choose(), &compute);
  });
}

}  // namespace detail

// The same as `map`. `compute` and what it calls must be inline always, or they stay as they are built for every
// processor: `[=](auto value) OPSTUDIO_WIDE { … }` and OPSTUDIO_INLINE functions.
template <class TypeOrList, class F, class... Views>
void wide_map(const Call& call, const View& output, const F& compute, const Views&... inputs) {
  static_assert(1 + sizeof...(Views) <= detail::kMaximumOperands, "too many tensors for one map");
  const View* const views[] = {&output, &inputs...};
  detail::map_views_widely<typename detail::as_list<TypeOrList>::type>(call, views, compute,
                                                                       std::index_sequence_for<Views...>());
}

}  // namespace opstudio

#endif
