// The dispatcher host: registers any operator that was described to it with PyTorch, and calls its kernel.
//
// Built once for each release of PyTorch. A changed kernel is loaded beside it; nothing here is compiled again.
#include <exception>
#include <string>

#include "autograd.h"
#include "opstudio_host/operator_builder.h"

namespace {

using opstudio::host::Registration;

thread_local std::string last_error;

// Runs an action and returns its error as text that lives until the next call on this thread, or null.
template <class F>
const char* text_of_error(F&& action) {
  try {
    action();
    return nullptr;
  } catch (const c10::Error& error) {
    last_error = error.what_without_backtrace();
  } catch (const std::exception& error) {
    last_error = error.what();
  }
  return last_error.c_str();
}

template <class Kernel>
torch::CppFunction boxed(const Registration& registration) {
  return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Kernel>(registration));
}

c10::OperatorHandle find_operator(const std::string& domain, const std::string& name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow((domain + "::" + name).c_str(), "");
}

void register_operator(Registration& registration) {
  const opstudio::host::Operator& op = registration.op;
  registration.library =
      std::make_unique<torch::Library>(torch::Library::FRAGMENT, op.domain, std::nullopt, "opstudio host", 0);
  torch::Library& library = *registration.library;
  library.def(op.schema.c_str());
  library.impl(op.name.c_str(), torch::dispatch(c10::DispatchKey::CPU, boxed<opstudio::host::Forward>(registration)));
  library.impl(op.name.c_str(), torch::dispatch(c10::DispatchKey::Meta, boxed<opstudio::host::Forward>(registration)));
  registration.forward = find_operator(op.domain, op.name);
  if (op.backward_schema.empty()) return;
  const std::string backward = op.name + "_backward";
  library.def(op.backward_schema.c_str());
  library.impl(backward.c_str(), torch::dispatch(c10::DispatchKey::CPU, boxed<opstudio::host::Backward>(registration)));
  library.impl(backward.c_str(), torch::dispatch(c10::DispatchKey::Meta, boxed<opstudio::host::Backward>(registration)));
  library.impl(op.name.c_str(), torch::dispatch(c10::DispatchKey::Autograd, boxed<opstudio::host::Autograd>(registration)));
  registration.backward = find_operator(op.domain, backward);
}

}  // namespace

// Registers a described operator. Sets `registration` to its handle and returns null, or returns an error text.
OPSTUDIO_EXPORT const char* opstudio_torch_register(void* description, void** registration) {
  return text_of_error([&] {
    auto created = std::make_unique<Registration>(opstudio::host::as_operator(description));
    register_operator(*created);
    *registration = created.release();
  });
}

// Puts a kernel behind a registered operator. The previous one must stay loaded. Returns null or an error text.
OPSTUDIO_EXPORT const char* opstudio_torch_set_kernel(void* registration, const opstudio_kernel* kernel) {
  auto* target = static_cast<Registration*>(registration);
  last_error = opstudio::host::kernel_mismatch(kernel, !target->op.backward_schema.empty());
  if (!last_error.empty()) return last_error.c_str();
  target->kernel.store(kernel, std::memory_order_release);
  return nullptr;
}

// Chooses how calls run: outputs and inputs between guards, and what a pool thread does first.
OPSTUDIO_EXPORT void opstudio_torch_set_check_mode(int32_t guard_outputs, int32_t guard_inputs, void (*enter_thread)()) {
  opstudio::host::check_mode.guard_outputs = guard_outputs != 0;
  opstudio::host::check_mode.guard_inputs = guard_inputs != 0;
  opstudio::host::check_mode.enter_thread = enter_thread;
}
