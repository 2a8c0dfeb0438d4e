// One call of a kernel: its tensors and attributes by name, its threads and its scratch memory.
#ifndef OPSTUDIO_CALL_H
#define OPSTUDIO_CALL_H

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string_view>
#include <type_traits>

#include "opstudio/abi.h"
#include "opstudio/view.h"

namespace opstudio {

class Call {
 public:
  explicit Call(const opstudio_call& raw) : raw_(&raw) {}

  View input(const char* name) const { return single(find(raw_->inputs, raw_->input_count, name, "input"), name); }
  View output(const char* name) const { return single(find(raw_->outputs, raw_->output_count, name, "output"), name); }

  // Whether an optional input was given.
  bool has_input(const char* name) const { return find(raw_->inputs, raw_->input_count, name, "input").count > 0; }

  // The number of tensors of a variadic input, and one of them.
  int64_t input_count(const char* name) const { return find(raw_->inputs, raw_->input_count, name, "input").count; }
  View input(const char* name, int64_t index) const {
    return at(find(raw_->inputs, raw_->input_count, name, "input"), name, index);
  }
  View output(const char* name, int64_t index) const {
    return at(find(raw_->outputs, raw_->output_count, name, "output"), name, index);
  }

  int64_t integer(const char* name) const { return *attribute(name, OPSTUDIO_ATTRIBUTE_INT).integers; }
  double number(const char* name) const { return *attribute(name, OPSTUDIO_ATTRIBUTE_FLOAT).numbers; }
  bool flag(const char* name) const { return *attribute(name, OPSTUDIO_ATTRIBUTE_BOOL).integers != 0; }
  std::string_view text(const char* name) const { return attribute(name, OPSTUDIO_ATTRIBUTE_STRING).text; }
  Span<int64_t> integers(const char* name) const {
    const opstudio_attribute& found = attribute(name, OPSTUDIO_ATTRIBUTE_INTS);
    return {found.integers, found.count};
  }
  Span<double> numbers(const char* name) const {
    const opstudio_attribute& found = attribute(name, OPSTUDIO_ATTRIBUTE_FLOATS);
    return {found.numbers, found.count};
  }

  // Scratch memory for `count` values, aligned to 64 bytes, freed when the call ends. Never keep scratch in a global
  // or static variable: calls run at the same time.
  template <class T>
  T* scratch(int64_t count) const {
    void* memory = raw_->host->allocate(raw_->host->context, static_cast<size_t>(count) * sizeof(T));
    OPSTUDIO_CHECK(memory != nullptr || count == 0, "no scratch memory for ", count, " values of ", sizeof(T),
                   " bytes");
    return static_cast<T*>(memory);
  }

  // Runs body(begin, end) over [0, count) in pieces of about `grain` on the host's threads. An exception of a piece
  // is thrown again here, on the calling thread.
  template <class F>
  void parallel_for(int64_t count, int64_t grain, F&& body) const {
    if (count <= 0) return;
    Loop<std::remove_reference_t<F>> loop{&body, {false}, nullptr};
    raw_->host->parallel_for(raw_->host->context, count, grain, &Loop<std::remove_reference_t<F>>::run, &loop);
    if (loop.error) std::rethrow_exception(loop.error);
  }

  // The device stream of the call, for example call.stream<cudaStream_t>().
  template <class Stream>
  Stream stream() const {
    return static_cast<Stream>(raw_->host->stream);
  }

 private:
  template <class F>
  struct Loop {
    F* body;
    std::atomic<bool> failed;
    std::exception_ptr error;  // written by the first piece that fails, read when all are done

    static void run(void* argument, int64_t begin, int64_t end) {
      auto* loop = static_cast<Loop*>(argument);
      if (loop->failed.load(std::memory_order_relaxed)) return;
      try {
        (*loop->body)(begin, end);
      } catch (...) {
        if (!loop->failed.exchange(true)) loop->error = std::current_exception();
      }
    }
  };

  OPSTUDIO_SHARED static const opstudio_argument& find(const opstudio_argument* list, int64_t count, const char* name,
                                       const char* kind) {
    for (int64_t i = 0; i < count; ++i) {
      if (std::strcmp(list[i].name, name) == 0) return list[i];
    }
    Error error("there is no ", kind, " ", name, "; the contract has");
    for (int64_t i = 0; i < count; ++i) error.add(" "), error.add(list[i].name);
    throw error;
  }

  static View single(const opstudio_argument& argument, const char* name) { return at(argument, name, 0); }

  OPSTUDIO_SHARED static View at(const opstudio_argument& argument, const char* name, int64_t index) {
    OPSTUDIO_CHECK(index >= 0 && index < argument.count, name, " has ", argument.count,
                   " tensors, the kernel asks for number ", index);
    return View(argument.views[index]);
  }

  OPSTUDIO_SHARED const opstudio_attribute& attribute(const char* name, int32_t kind) const {
    for (int64_t i = 0; i < raw_->attribute_count; ++i) {
      const opstudio_attribute& candidate = raw_->attributes[i];
      if (std::strcmp(candidate.name, name) != 0) continue;
      OPSTUDIO_CHECK(candidate.kind == kind, "attribute ", name, " is of another kind in the contract");
      return candidate;
    }
    Error error("there is no attribute ", name, "; the contract has");
    for (int64_t i = 0; i < raw_->attribute_count; ++i) error.add(" "), error.add(raw_->attributes[i].name);
    throw error;
  }

  const opstudio_call* raw_;
};

}  // namespace opstudio

#endif
