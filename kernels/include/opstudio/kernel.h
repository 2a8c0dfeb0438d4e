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

#include "opstudio/abi.h"
#include "opstudio/call.h"
#include "opstudio/element_loops.h"
#include "opstudio/element_types.h"
#include "opstudio/elements.h"
#include "opstudio/error.h"
#include "opstudio/map.h"
#include "opstudio/view.h"

namespace opstudio {
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
