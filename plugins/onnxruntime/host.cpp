// The ONNX Runtime host: an operator library that offers every operator that was described to it.
//
// A changed kernel is loaded beside it; nothing here is compiled again.
#include <string>

#include "library.h"
#include "opstudio_host/operator_builder.h"

namespace {

thread_local std::string last_error;

using opstudio::host::as_operator;
using opstudio::host::enter_thread;
using opstudio::host::kernel_mismatch;
using opstudio::host::Registration;
using opstudio::host::registrations;

}  // namespace

// Offers a described operator to all sessions that are made from now on. Sets `registration` to its handle and
// returns null, or returns an error text.
OPSTUDIO_EXPORT const char* opstudio_onnxruntime_register(void* description, void** registration) {
  Registration& created = registrations().emplace_back();
  created.op = as_operator(description);
  *registration = &created;
  return nullptr;
}

// Puts a kernel behind an operator. The previous one must stay loaded. Returns null or an error text.
OPSTUDIO_EXPORT const char* opstudio_onnxruntime_set_kernel(void* registration, const opstudio_kernel* kernel) {
  last_error = kernel_mismatch(kernel, false);
  if (!last_error.empty()) return last_error.c_str();
  static_cast<Registration*>(registration)->kernel.store(kernel, std::memory_order_release);
  return nullptr;
}

OPSTUDIO_EXPORT void opstudio_onnxruntime_set_check_mode(void (*enter)()) { enter_thread = enter; }

// What SessionOptions.register_custom_ops_library calls.
OPSTUDIO_EXPORT OrtStatus* RegisterCustomOps(OrtSessionOptions* options, const OrtApiBase* base) {
  return opstudio::host::register_all(options, base);
}
