// y = x * x + bias for ONNX Runtime, on the studio's small header of its C interface (no headers of the runtime needed).
#include <cstring>
#include <vector>

#include "ort_abi.h"

namespace {

struct Node {
  float bias = 0;
};

ort::Status create_node(const OrtCustomOp*, const OrtApi*, const OrtKernelInfo* info, void** result) {
  auto* node = new Node;
  ort::failed(ort::attribute_float(info, "bias", &node->bias));  // an absent attribute keeps its default
  *result = node;
  return nullptr;
}

ort::Status compute(void* kernel, OrtKernelContext* context) {
  const OrtValue* x = nullptr;
  OPSTUDIO_ORT_TRY(ort::context_input(context, 0, &x));
  OrtTensorTypeAndShapeInfo* info = nullptr;
  OPSTUDIO_ORT_TRY(ort::type_and_shape(x, &info));
  size_t rank = 0;
  ort::Status status = ort::rank_of(info, &rank);
  std::vector<int64_t> shape(rank);
  if (status == nullptr) status = ort::dimensions(info, shape.data(), rank);
  ort::release_shape(info);
  if (status != nullptr) return status;
  OrtValue* y = nullptr;
  OPSTUDIO_ORT_TRY(ort::context_output(context, 0, shape.data(), rank, &y));
  void *from = nullptr, *to = nullptr;
  OPSTUDIO_ORT_TRY(ort::mutable_data(const_cast<OrtValue*>(x), &from));
  OPSTUDIO_ORT_TRY(ort::mutable_data(y, &to));
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  const float bias = static_cast<Node*>(kernel)->bias;
  for (int64_t i = 0; i < count; ++i) {
    const float value = static_cast<const float*>(from)[i];
    static_cast<float*>(to)[i] = value * value + bias;
  }
  return nullptr;
}

ort::Status infer_shape(const OrtCustomOp*, OrtShapeInferContext* context) {
  OrtTensorTypeAndShapeInfo* x = nullptr;
  OPSTUDIO_ORT_TRY(ort::inference_input(context, 0, &x));
  return ort::inference_output(context, 0, x);
}

OrtCustomOp make_operator() {
  OrtCustomOp op;
  std::memset(&op, 0, sizeof op);
  const auto one = [](const OrtCustomOp*) -> int { return 1; };
  const auto required = [](const OrtCustomOp*, size_t) -> int { return ort::kRequired; };
  const auto float32 = [](const OrtCustomOp*, size_t) -> int { return 1; };
  const auto single = [](const OrtCustomOp*) -> size_t { return 1; };
  op.version = ort::kApiVersion;
  op.GetName = [](const OrtCustomOp*) -> const char* { return "{{ onnx_type }}"; };
  op.GetExecutionProviderType = [](const OrtCustomOp*) -> const char* { return "CPUExecutionProvider"; };
  op.GetInputTypeCount = single;
  op.GetOutputTypeCount = single;
  op.GetInputType = float32;
  op.GetOutputType = float32;
  op.GetInputCharacteristic = required;
  op.GetOutputCharacteristic = required;
  op.GetInputMemoryType = [](const OrtCustomOp*, size_t) -> int { return 0; };
  op.GetVariadicInputMinArity = one;
  op.GetVariadicInputHomogeneity = one;
  op.GetVariadicOutputMinArity = one;
  op.GetVariadicOutputHomogeneity = one;
  op.GetStartVersion = one;
  op.GetEndVersion = [](const OrtCustomOp*) -> int { return ort::kLatestVersion; };
  op.CreateKernelV2 = create_node;
  op.KernelComputeV2 = compute;
  op.KernelDestroy = [](void* kernel) { delete static_cast<Node*>(kernel); };
  op.InferOutputShapeFn = infer_shape;
  return op;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) OrtStatus* RegisterCustomOps(OrtSessionOptions* options,
                                                                              const OrtApiBase* base) {
  static const OrtCustomOp op = make_operator();  // the runtime keeps a pointer to it
  ort::api() = base->GetApi(ort::kApiVersion);
  if (ort::api() == nullptr) {
    ort::api() = base->GetApi(1);
    return ort::create_status(ort::kFail, "{{ name }} needs ONNX Runtime 1.18 or newer");
  }
  OrtCustomOpDomain* domain = nullptr;
  OPSTUDIO_ORT_TRY(ort::create_domain("{{ domain }}", &domain));
  OPSTUDIO_ORT_TRY(ort::add_operator(domain, &op));
  return ort::add_domain(options, domain);
}
