// Remembers where the kernel last threw an exception, so that a refusal can be told by its line.
//
// Only in libraries that the studio builds for its checks (OPSTUDIO_RECORD_THROWS): the linker sends every throw of the
// library through __wrap___cxa_throw.
#ifndef OPSTUDIO_THROW_RECORDER_H
#define OPSTUDIO_THROW_RECORDER_H

#include <execinfo.h>

#include <cstdint>

namespace opstudio {
namespace detail {

struct ThrowRecord {
  int count;
  void* frames[48];
};
inline ThrowRecord last_throw;

}  // namespace detail
}  // namespace opstudio

extern "C" {

void __real___cxa_throw(void* exception, void* type, void (*destroy)(void*)) __attribute__((noreturn));

__attribute__((noreturn, noinline)) inline void __wrap___cxa_throw(void* exception, void* type, void (*destroy)(void*)) {
  opstudio::detail::last_throw.count = backtrace(opstudio::detail::last_throw.frames, 48);
  __real___cxa_throw(exception, type, destroy);
}

// Writes the addresses (inside the calls) of the last throw, innermost first.
__attribute__((visibility("default"))) inline int opstudio_thrown_from(uint64_t* addresses, int most) {
  const auto& record = opstudio::detail::last_throw;
  int count = 0;
  for (int i = 1; i < record.count && count < most; ++i) {
    addresses[count++] = reinterpret_cast<uint64_t>(record.frames[i]) - 1;
  }
  return count;
}

}  // extern "C"

// Makes the compiler emit the functions above, in the file that exports the kernel.
#define OPSTUDIO_EMIT_THROW_RECORDER                                                              \
  extern "C" __attribute__((used)) void (*const opstudio_throw_recorder_anchor[])() = {           \
      reinterpret_cast<void (*)()>(&__wrap___cxa_throw), reinterpret_cast<void (*)()>(&opstudio_thrown_from)};

#endif
