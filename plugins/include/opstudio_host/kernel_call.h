// One call of a kernel, put together by a host: it owns the arrays that the C structures point into.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "opstudio/abi.h"

namespace opstudio::host {

// Attribute values in the form that kernels read. Built once, read by any number of calls.
class KernelAttributes {
 public:
  void add(const std::string& name, int32_t kind, std::vector<int64_t> integers, std::vector<double> numbers,
           std::string text) {
    Storage& stored = storage_.emplace_back(Storage{name, std::move(integers), std::move(numbers), std::move(text)});
    const bool is_number = kind == OPSTUDIO_ATTRIBUTE_FLOAT || kind == OPSTUDIO_ATTRIBUTE_FLOATS;
    const size_t count = is_number ? stored.numbers.size() : stored.integers.size();
    raw_.push_back({stored.name.c_str(), kind, kind == OPSTUDIO_ATTRIBUTE_STRING ? 1 : static_cast<int64_t>(count),
                    stored.integers.data(), stored.numbers.data(), stored.text.c_str()});
  }

  const std::vector<opstudio_attribute>& raw() const { return raw_; }

 private:
  struct Storage {
    std::string name;
    std::vector<int64_t> integers;
    std::vector<double> numbers;
    std::string text;
  };
  std::deque<Storage> storage_;  // its elements never move
  std::vector<opstudio_attribute> raw_;
};

// The views of one direction (inputs or outputs), grouped into arguments.
class KernelArguments {
 public:
  void begin(std::string name) { groups_.push_back({std::move(name), views_.size(), 0}); }

  void add(void* data, const int64_t* shape, const int64_t* strides, int32_t rank, int32_t type) {
    views_.push_back({data, shape, strides, rank, type});
    ++groups_.back().count;
  }

  // The finished arguments; valid until the next change.
  const std::vector<opstudio_argument>& finish() {
    raw_.clear();
    for (const Group& group : groups_) {
      raw_.push_back({group.name.c_str(), views_.data() + group.first, static_cast<int64_t>(group.count)});
    }
    return raw_;
  }

 private:
  struct Group {
    std::string name;
    size_t first;
    size_t count;
  };
  std::vector<Group> groups_;
  std::vector<opstudio_view> views_;
  std::vector<opstudio_argument> raw_;
};

// Scratch memory of one call and the message of its failure.
class CallState {
 public:
  static void* allocate(void* state, size_t bytes) {
    const size_t rounded = (bytes + 63) / 64 * 64;
    void* memory = std::aligned_alloc(64, rounded == 0 ? 64 : rounded);
    if (memory != nullptr) static_cast<CallState*>(state)->scratch_.emplace_back(memory, &std::free);
    return memory;
  }

  static void fail(void* state, const char* message) { static_cast<CallState*>(state)->message = message; }

  std::string message;

 private:
  std::vector<std::unique_ptr<void, decltype(&std::free)>> scratch_;
};

// Row-major strides of a shape, in elements.
inline std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * (shape[axis] > 0 ? shape[axis] : 1);
  return strides;
}

// Calls a kernel function. Returns an empty text, or why the kernel refused.
inline std::string call_kernel(opstudio_function function, const opstudio_host& host, CallState& state,
                               KernelArguments& inputs, KernelArguments& outputs, const KernelAttributes& attributes) {
  const auto& in = inputs.finish();
  const auto& out = outputs.finish();
  const opstudio_call call{sizeof(opstudio_call),
                           &host,
                           in.data(),
                           static_cast<int64_t>(in.size()),
                           out.data(),
                           static_cast<int64_t>(out.size()),
                           attributes.raw().data(),
                           static_cast<int64_t>(attributes.raw().size())};
  if (function(&call) == 0) return {};
  return state.message.empty() ? "the kernel returned an error without a message" : state.message;
}

// Says why a kernel library does not fit this host, or returns an empty text.
inline std::string kernel_mismatch(const opstudio_kernel* kernel, bool needs_backward) {
  if (kernel->abi_version != OPSTUDIO_ABI_VERSION)
    return "the kernel was built for version " + std::to_string(kernel->abi_version) +
           " of the kernel interface, the host has version " + std::to_string(OPSTUDIO_ABI_VERSION) + ": build it again";
  if (kernel->forward == nullptr) return "the kernel has no forward function";
  if (needs_backward && kernel->backward == nullptr)
    return "the contract has a [gradient], but the kernel exports no backward function: OPSTUDIO_KERNEL(forward, backward)";
  return {};
}

}  // namespace opstudio::host
