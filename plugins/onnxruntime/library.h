// An operator library of ONNX Runtime: offers every operator that was added to registrations().
//
// Needs neither ONNX Runtime's headers nor its library. One source file of a library includes this header.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "opstudio_host/kernel_call.h"
#include "opstudio_host/operator_description.h"
#include "opstudio_host/shape_program.h"
#include "session_values.h"

namespace opstudio::host {

// One described operator and the kernel behind it. Lives as long as the process: sessions point to it.
struct Registration {
  Operator op;
  std::atomic<const opstudio_kernel*> kernel{nullptr};
};

inline std::deque<Registration>& registrations() {
  static std::deque<Registration> all;
  return all;
}

inline std::atomic<void (*)()> enter_thread{nullptr};  // prepares a pool thread, for example for stack overflows

// An operator for one combination of input types.
struct TypedOperator : OrtCustomOp {
  Registration* registration;
  std::vector<int32_t> input_types;
};

inline const Operator& operator_of(const OrtCustomOp* op) { return static_cast<const TypedOperator*>(op)->registration->op; }

inline std::string qualified_name(const Operator& op) { return op.domain + "::" + op.name; }

// A node of a session: its attributes are read once.
struct Node {
  const TypedOperator* typed;
  KernelAttributes attributes;
  AttributeValues shape_attributes;
};

inline ort::Status error_status(const std::string& text) { return ort::create_status(ort::kFail, text.c_str()); }

inline ort::Status create_node(const OrtCustomOp* op, const OrtApi*, const OrtKernelInfo* info, void** result) {
  auto node = std::make_unique<Node>();
  node->typed = static_cast<const TypedOperator*>(op);
  for (const Attribute& attribute : operator_of(op).attributes) {
    AttributeStorage value;
    if (ort::Status status = read_node_attribute(info, attribute, value)) {
      const std::string text = qualified_name(operator_of(op)) + ": " + ort::message_of(status);
      ort::release_status(status);
      return error_status(text);
    }
    node->shape_attributes.add(value.integers, value.numbers, value.text);
    node->attributes.add(attribute.name, attribute.kind, value.integers, value.numbers, value.text);
  }
  *result = node.release();
  return nullptr;
}

// The runtime's own thread pool as the parallel loop of a kernel.
inline void run_parallel(const OrtKernelContext* context, int64_t count, int64_t grain, opstudio_range run, void* argument) {
  constexpr int64_t kMostPieces = 256;
  struct Loop {
    int64_t count, pieces;
    opstudio_range run;
    void* argument;
  } loop{count, std::clamp<int64_t>(grain > 0 ? (count + grain - 1) / grain : 1, 1, kMostPieces), run, argument};
  const auto run_piece = [](void* data, size_t index) {
    const Loop& all = *static_cast<const Loop*>(data);
    const int64_t piece = static_cast<int64_t>(index);
    if (void (*enter)() = enter_thread) enter();
    all.run(all.argument, all.count * piece / all.pieces, all.count * (piece + 1) / all.pieces);
  };
  if (loop.pieces == 1) return run(argument, 0, count);
  ort::failed(ort::parallel_for(context, run_piece, static_cast<size_t>(loop.pieces), 0, &loop));
}

// The tensors of one call, with the shapes that the kernel's views point into.
struct CallTensors {
  std::deque<std::vector<int64_t>> sizes, strides;

  void add(KernelArguments& arguments, void* data, const std::vector<int64_t>& shape, int32_t type) {
    sizes.push_back(shape);
    strides.push_back(contiguous_strides(shape));
    arguments.add(data, sizes.back().data(), strides.back().data(), static_cast<int32_t>(shape.size()), type);
  }
};

// Reads all inputs of a call. A variadic input takes all that are left.
inline ort::Status read_inputs(const Node& node, OrtKernelContext* context, CallTensors& tensors, KernelArguments& arguments,
                        std::vector<std::vector<std::vector<int64_t>>>& shapes) {
  const Operator& op = node.typed->registration->op;
  size_t count = 0;
  OPSTUDIO_ORT_TRY(ort::context_input_count(context, &count));
  size_t next = 0;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    arguments.begin(op.inputs[i].name);
    auto& of_input = shapes.emplace_back();
    const size_t last = op.inputs[i].arity == Arity::kVariadic ? count : std::min(count, next + 1);
    for (; next < last; ++next) {
      const OrtValue* value = nullptr;
      OPSTUDIO_ORT_TRY(ort::context_input(context, next, &value));
      if (value == nullptr) continue;  // an optional input that the model leaves out
      ShapeInfo info;
      int type = 0;
      void* data = nullptr;
      OPSTUDIO_ORT_TRY(ort::type_and_shape(value, info.receive()));
      OPSTUDIO_ORT_TRY(plain_sizes(info.get(), of_input.emplace_back()));
      OPSTUDIO_ORT_TRY(ort::element_type(info.get(), &type));
      OPSTUDIO_ORT_TRY(ort::mutable_data(const_cast<OrtValue*>(value), &data));
      tensors.add(arguments, data, of_input.back(), type);
    }
  }
  return nullptr;
}

inline ort::Status compute(const Node& node, OrtKernelContext* context) {
  const Registration& registration = *node.typed->registration;
  const Operator& op = registration.op;
  const opstudio_kernel* kernel = registration.kernel.load(std::memory_order_acquire);
  if (kernel == nullptr) return error_status(qualified_name(op) + " has no kernel loaded");
  CallTensors tensors;
  KernelArguments inputs, outputs;
  std::vector<std::vector<std::vector<int64_t>>> shapes;
  OPSTUDIO_ORT_TRY(read_inputs(node, context, tensors, inputs, shapes));
  const auto output_shapes = infer_shapes(op, shapes, node.shape_attributes);
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    OrtValue* value = nullptr;
    void* data = nullptr;
    OPSTUDIO_ORT_TRY(ort::context_output(context, i, output_shapes[i].data(), output_shapes[i].size(), &value));
    outputs.begin(op.outputs[i].name);
    if (value == nullptr) return error_status(op.name + ": the model leaves out output " + op.outputs[i].name);
    OPSTUDIO_ORT_TRY(ort::mutable_data(value, &data));
    tensors.add(outputs, data, output_shapes[i], op.output_type(i, node.typed->input_types));
  }
  struct State : CallState {
    const OrtKernelContext* context;
  } state;
  state.context = context;
  const opstudio_host host{OPSTUDIO_ABI_VERSION,
                           sizeof(opstudio_host),
                           static_cast<CallState*>(&state),
                           [](void* call, int64_t count, int64_t grain, opstudio_range run, void* argument) {
                             run_parallel(static_cast<State*>(static_cast<CallState*>(call))->context, count, grain, run, argument);
                           },
                           CallState::allocate,
                           CallState::fail,
                           nullptr};
  const std::string refusal = call_kernel(kernel->forward, host, state, inputs, outputs, node.attributes);
  return refusal.empty() ? nullptr : error_status(qualified_name(op) + ": " + refusal);
}

inline ort::Status compute_node(void* kernel, OrtKernelContext* context) {
  try {
    return compute(*static_cast<Node*>(kernel), context);
  } catch (const std::exception& error) {
    return error_status(qualified_name(static_cast<Node*>(kernel)->typed->registration->op) + ": " + error.what());
  }
}

// A name that no other dimension has. A size that is neither known nor named would reach the runtime as the number -1,
// on which the shape inference of standard nodes (Slice) computes further, and aborts.
inline std::string new_dimension_name() {
  static std::atomic<int64_t> made{0};
  return "inferred_" + std::to_string(++made);
}

// The runtime makes one schema of all type combinations of an operator and asks whichever came first, so that types are
// those of the node's inputs, never those of `typed`.
inline ort::Status infer_outputs(const TypedOperator& typed, OrtShapeInferContext* context) {
  const Operator& op = typed.registration->op;
  std::vector<int32_t> types = typed.input_types;
  size_t count = 0;
  OPSTUDIO_ORT_TRY(ort::inference_input_count(context, &count));
  std::vector<std::vector<std::vector<InferredSize>>> shapes;
  size_t next = 0;
  for (const Input& input : op.inputs) {
    auto& of_input = shapes.emplace_back();
    const size_t last = input.arity == Arity::kVariadic ? count : std::min(count, next + 1);
    for (; next < last; ++next) {
      OrtTensorTypeAndShapeInfo* borrowed = nullptr;  // belongs to the context
      // An input without a known rank gives no information; nothing is inferred then.
      if (ort::failed(ort::inference_input(context, next, &borrowed)) || borrowed == nullptr) return nullptr;
      OPSTUDIO_ORT_TRY(inferred_sizes(borrowed, of_input.emplace_back()));
      int type = 0;
      OPSTUDIO_ORT_TRY(ort::element_type(borrowed, &type));
      types[shapes.size() - 1] = type;
    }
  }
  AttributeValues attributes;
  for (const Attribute& attribute : op.attributes) {
    const AttributeStorage value = read_inference_attribute(context, attribute);
    attributes.add(value.integers, value.numbers, value.text);
  }
  const auto output_shapes = infer_shapes(op, shapes, attributes);
  for (size_t i = 0; i < output_shapes.size(); ++i) {
    std::vector<int64_t> sizes;
    std::vector<const char*> names;
    std::deque<std::string> made_up;
    for (const InferredSize& size : output_shapes[i]) {
      sizes.push_back(size.known ? size.value : -1);
      const bool needs_name = !size.known && size.name.empty();
      if (needs_name) made_up.push_back(new_dimension_name());
      names.push_back(needs_name ? made_up.back().c_str() : size.name.c_str());
    }
    ShapeInfo info;
    OPSTUDIO_ORT_TRY(ort::create_shape(info.receive()));
    OPSTUDIO_ORT_TRY(ort::set_element_type(info.get(), op.output_type(i, types)));
    OPSTUDIO_ORT_TRY(ort::set_dimensions(info.get(), sizes.data(), sizes.size()));
    OPSTUDIO_ORT_TRY(ort::set_symbolic_dimensions(info.get(), names.data(), names.size()));
    OPSTUDIO_ORT_TRY(ort::inference_output(context, i, info.get()));
  }
  return nullptr;
}

inline ort::Status infer_shapes_of(const OrtCustomOp* op, OrtShapeInferContext* context) {
  try {
    return infer_outputs(*static_cast<const TypedOperator*>(op), context);
  } catch (const std::exception& error) {
    return error_status(qualified_name(operator_of(op)) + ": " + error.what());
  }
}

inline int characteristic(const OrtCustomOp* op, size_t index) {
  const auto& inputs = operator_of(op).inputs;
  const Arity arity = inputs[std::min(index, inputs.size() - 1)].arity;
  return arity == Arity::kVariadic ? ort::kVariadic : arity == Arity::kOptional ? ort::kOptional : ort::kRequired;
}

inline void fill_in(TypedOperator& op) {
  op.version = ort::kApiVersion;
  op.GetName = [](const OrtCustomOp* self) { return operator_of(self).onnx_type.c_str(); };
  op.GetExecutionProviderType = [](const OrtCustomOp*) -> const char* { return "CPUExecutionProvider"; };
  op.GetInputTypeCount = [](const OrtCustomOp* self) { return operator_of(self).inputs.size(); };
  op.GetOutputTypeCount = [](const OrtCustomOp* self) { return operator_of(self).outputs.size(); };
  op.GetInputType = [](const OrtCustomOp* self, size_t index) -> int {
    const auto& types = static_cast<const TypedOperator*>(self)->input_types;
    return types[std::min(index, types.size() - 1)];
  };
  op.GetOutputType = [](const OrtCustomOp* self, size_t index) -> int {
    return operator_of(self).output_type(index, static_cast<const TypedOperator*>(self)->input_types);
  };
  op.GetInputCharacteristic = characteristic;
  op.GetOutputCharacteristic = [](const OrtCustomOp*, size_t) -> int { return ort::kRequired; };
  op.GetInputMemoryType = [](const OrtCustomOp*, size_t) -> int { return 0; };
  const auto one = [](const OrtCustomOp*) -> int { return 1; };
  op.GetVariadicInputMinArity = one;
  op.GetVariadicInputHomogeneity = one;
  op.GetVariadicOutputMinArity = one;
  op.GetVariadicOutputHomogeneity = one;
  op.GetStartVersion = [](const OrtCustomOp* self) { return operator_of(self).version; };
  op.GetEndVersion = [](const OrtCustomOp*) { return ort::kLatestVersion; };
  op.CreateKernelV2 = create_node;
  op.KernelComputeV2 = compute_node;
  op.KernelDestroy = [](void* kernel) { delete static_cast<Node*>(kernel); };
  op.InferOutputShapeFn = infer_shapes_of;
}

// Adds one operator for each combination of input types, as the runtime knows no type variables across inputs.
inline void add_combinations(Registration& registration, std::vector<int32_t> chosen, std::deque<TypedOperator>& result) {
  const auto& inputs = registration.op.inputs;
  if (chosen.size() == inputs.size()) {
    TypedOperator& op = result.emplace_back();
    op.registration = &registration;
    op.input_types = std::move(chosen);
    fill_in(op);
    return;
  }
  const Input& input = inputs[chosen.size()];
  const std::vector<int32_t> shared =
      input.same_type_as >= 0 ? std::vector<int32_t>{chosen[static_cast<size_t>(input.same_type_as)]} : input.types;
  for (int32_t type : shared) {
    std::vector<int32_t> longer = chosen;
    longer.push_back(type);
    add_combinations(registration, std::move(longer), result);
  }
}

inline ort::Status add_domains(OrtSessionOptions* options) {
  static std::mutex mutex;  // sessions may be made on several threads at once
  static std::map<const Registration*, std::deque<TypedOperator>> operators;  // the runtime keeps pointers to them
  const std::lock_guard<std::mutex> guard(mutex);
  std::map<std::string, OrtCustomOpDomain*> domains;
  for (Registration& registration : registrations()) {
    OrtCustomOpDomain*& domain = domains[registration.op.domain];
    if (domain == nullptr) OPSTUDIO_ORT_TRY(ort::create_domain(registration.op.domain.c_str(), &domain));
    std::deque<TypedOperator>& combinations = operators[&registration];
    if (combinations.empty()) add_combinations(registration, {}, combinations);
    for (TypedOperator& combination : combinations) OPSTUDIO_ORT_TRY(ort::add_operator(domain, &combination));
  }
  for (const auto& [name, domain] : domains) OPSTUDIO_ORT_TRY(ort::add_domain(options, domain));
  return nullptr;
}

// Adds all operators to the options of a session; what RegisterCustomOps does.
inline OrtStatus* register_all(OrtSessionOptions* options, const OrtApiBase* base) {
  const OrtApi* table = base->GetApi(ort::kApiVersion);
  if (table == nullptr) {
    // Even the first version can report an error, which beats a session that later misses its operators.
    const std::string text = std::string("this operator library needs ONNX Runtime 1.18 or newer (API 18); this is ") +
                             base->GetVersionString();
    return ort::create_status_of(base->GetApi(1), text.c_str());
  }
  ort::api() = table;
  return add_domains(options);
}

}  // namespace opstudio::host
