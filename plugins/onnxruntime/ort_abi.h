// The part of ONNX Runtime's C interface that a CPU operator library needs, written from its documentation.
//
// The official headers are in no Python wheel, and a library built with them refuses runtimes older than they are. The
// table of functions only ever grows at its end, so that positions are stable; those used here exist since API 18
// (ONNX Runtime 1.18), which is what RegisterCustomOps asks for. Checked on 1.18 to 1.32.
#pragma once

#include <cstddef>
#include <cstdint>

struct OrtStatus;
struct OrtSessionOptions;
struct OrtCustomOpDomain;
struct OrtKernelInfo;
struct OrtKernelContext;
struct OrtValue;
struct OrtTensorTypeAndShapeInfo;
struct OrtShapeInferContext;
struct OrtOpAttr;

// The table of functions; entries are read through ort::api().
struct OrtApi {
  const void* entries[1];
};

struct OrtApiBase {
  const OrtApi* (*GetApi)(uint32_t version);  // null where the runtime is older than `version`
  const char* (*GetVersionString)();
};

// An operator as the runtime sees it: data and functions, in this order since API 18.
struct OrtCustomOp {
  uint32_t version;
  void* (*CreateKernel)(const OrtCustomOp*, const OrtApi*, const OrtKernelInfo*);
  const char* (*GetName)(const OrtCustomOp*);
  const char* (*GetExecutionProviderType)(const OrtCustomOp*);
  int (*GetInputType)(const OrtCustomOp*, size_t index);
  size_t (*GetInputTypeCount)(const OrtCustomOp*);
  int (*GetOutputType)(const OrtCustomOp*, size_t index);
  size_t (*GetOutputTypeCount)(const OrtCustomOp*);
  void (*KernelCompute)(void* kernel, OrtKernelContext*);
  void (*KernelDestroy)(void* kernel);
  int (*GetInputCharacteristic)(const OrtCustomOp*, size_t index);
  int (*GetOutputCharacteristic)(const OrtCustomOp*, size_t index);
  int (*GetInputMemoryType)(const OrtCustomOp*, size_t index);
  int (*GetVariadicInputMinArity)(const OrtCustomOp*);
  int (*GetVariadicInputHomogeneity)(const OrtCustomOp*);
  int (*GetVariadicOutputMinArity)(const OrtCustomOp*);
  int (*GetVariadicOutputHomogeneity)(const OrtCustomOp*);
  OrtStatus* (*CreateKernelV2)(const OrtCustomOp*, const OrtApi*, const OrtKernelInfo*, void** kernel);
  OrtStatus* (*KernelComputeV2)(void* kernel, OrtKernelContext*);
  OrtStatus* (*InferOutputShapeFn)(const OrtCustomOp*, OrtShapeInferContext*);
  int (*GetStartVersion)(const OrtCustomOp*);
  int (*GetEndVersion)(const OrtCustomOp*);
  size_t (*GetMayInplace)(int** inputs, int** outputs);
  void (*ReleaseMayInplace)(int* inputs, int* outputs);
  size_t (*GetAliasMap)(int** inputs, int** outputs);
  void (*ReleaseAliasMap)(int* inputs, int* outputs);
};
static_assert(sizeof(void*) != 8 || sizeof(OrtCustomOp) == 208, "the layout that the runtime expects on 64-bit systems");

namespace ort {

constexpr uint32_t kApiVersion = 18;
constexpr int kLatestVersion = 2147483647;
enum Characteristic : int { kRequired = 0, kOptional = 1, kVariadic = 2 };
enum AttributeType : int { kInt = 1, kInts = 2, kFloat = 3, kFloats = 4, kString = 5 };
enum ErrorCode : int { kFail = 1, kInvalidArgument = 2 };

using Status = OrtStatus*;

inline const OrtApi*& api() {
  static const OrtApi* table = nullptr;
  return table;
}

// Defines a function that calls the one at a position of the table.
#define OPSTUDIO_ORT_FUNCTION(result, name, position, parameters, ...)                          \
  inline result name parameters {                                                               \
    using Function = result(*) parameters;                                                      \
    return reinterpret_cast<Function>(const_cast<void*>(api()->entries[position]))(__VA_ARGS__); \
  }

OPSTUDIO_ORT_FUNCTION(Status, create_status, 0, (int code, const char* text), code, text)
OPSTUDIO_ORT_FUNCTION(const char*, message_of, 2, (const OrtStatus* status), status)
OPSTUDIO_ORT_FUNCTION(Status, create_domain, 26, (const char* name, OrtCustomOpDomain** domain), name, domain)
OPSTUDIO_ORT_FUNCTION(Status, add_operator, 27, (OrtCustomOpDomain* domain, const OrtCustomOp* op), domain, op)
OPSTUDIO_ORT_FUNCTION(Status, add_domain, 28, (OrtSessionOptions* options, OrtCustomOpDomain* domain), options, domain)
OPSTUDIO_ORT_FUNCTION(Status, mutable_data, 51, (OrtValue* value, void** data), value, data)
OPSTUDIO_ORT_FUNCTION(Status, create_shape, 57, (OrtTensorTypeAndShapeInfo** info), info)
OPSTUDIO_ORT_FUNCTION(Status, set_element_type, 58, (OrtTensorTypeAndShapeInfo* info, int type), info, type)
OPSTUDIO_ORT_FUNCTION(Status, set_dimensions, 59, (OrtTensorTypeAndShapeInfo* info, const int64_t* sizes, size_t rank), info, sizes, rank)
OPSTUDIO_ORT_FUNCTION(Status, element_type, 60, (const OrtTensorTypeAndShapeInfo* info, int* type), info, type)
OPSTUDIO_ORT_FUNCTION(Status, rank_of, 61, (const OrtTensorTypeAndShapeInfo* info, size_t* rank), info, rank)
OPSTUDIO_ORT_FUNCTION(Status, dimensions, 62, (const OrtTensorTypeAndShapeInfo* info, int64_t* sizes, size_t rank), info, sizes, rank)
OPSTUDIO_ORT_FUNCTION(Status, symbolic_dimensions, 63, (const OrtTensorTypeAndShapeInfo* info, const char** names, size_t rank), info, names, rank)
OPSTUDIO_ORT_FUNCTION(Status, type_and_shape, 65, (const OrtValue* value, OrtTensorTypeAndShapeInfo** info), value, info)
OPSTUDIO_ORT_FUNCTION(Status, attribute_float, 85, (const OrtKernelInfo* info, const char* name, float* value), info, name, value)
OPSTUDIO_ORT_FUNCTION(Status, attribute_int, 86, (const OrtKernelInfo* info, const char* name, int64_t* value), info, name, value)
OPSTUDIO_ORT_FUNCTION(Status, attribute_string, 87, (const OrtKernelInfo* info, const char* name, char* text, size_t* size), info, name, text, size)
OPSTUDIO_ORT_FUNCTION(Status, context_input_count, 88, (const OrtKernelContext* context, size_t* count), context, count)
OPSTUDIO_ORT_FUNCTION(Status, context_input, 90, (const OrtKernelContext* context, size_t index, const OrtValue** value), context, index, value)
OPSTUDIO_ORT_FUNCTION(Status, context_output, 91, (OrtKernelContext* context, size_t index, const int64_t* sizes, size_t rank, OrtValue** value), context, index, sizes, rank, value)
OPSTUDIO_ORT_FUNCTION(void, release_status, 93, (Status status), status)
OPSTUDIO_ORT_FUNCTION(void, release_shape, 99, (OrtTensorTypeAndShapeInfo* info), info)
OPSTUDIO_ORT_FUNCTION(Status, attribute_floats, 162, (const OrtKernelInfo* info, const char* name, float* values, size_t* count), info, name, values, count)
OPSTUDIO_ORT_FUNCTION(Status, attribute_ints, 163, (const OrtKernelInfo* info, const char* name, int64_t* values, size_t* count), info, name, values, count)
OPSTUDIO_ORT_FUNCTION(Status, inference_input_count, 267, (const OrtShapeInferContext* context, size_t* count), context, count)
OPSTUDIO_ORT_FUNCTION(Status, inference_input, 268, (const OrtShapeInferContext* context, size_t index, OrtTensorTypeAndShapeInfo** info), context, index, info)
OPSTUDIO_ORT_FUNCTION(Status, inference_attribute, 269, (const OrtShapeInferContext* context, const char* name, const OrtOpAttr** attribute), context, name, attribute)
OPSTUDIO_ORT_FUNCTION(Status, inference_output, 270, (const OrtShapeInferContext* context, size_t index, const OrtTensorTypeAndShapeInfo* info), context, index, info)
OPSTUDIO_ORT_FUNCTION(Status, set_symbolic_dimensions, 271, (OrtTensorTypeAndShapeInfo* info, const char** names, size_t rank), info, names, rank)
OPSTUDIO_ORT_FUNCTION(Status, read_attribute, 272, (const OrtOpAttr* attribute, int type, void* data, size_t size, size_t* needed), attribute, type, data, size, needed)
OPSTUDIO_ORT_FUNCTION(Status, parallel_for, 274, (const OrtKernelContext* context, void (*run)(void*, size_t), size_t total, size_t batches, void* argument), context, run, total, batches, argument)

#undef OPSTUDIO_ORT_FUNCTION

// Makes an error with the functions of a runtime that is not the one in use.
inline Status create_status_of(const OrtApi* table, const char* text) {
  return reinterpret_cast<Status (*)(int, const char*)>(const_cast<void*>(table->entries[0]))(kFail, text);
}

// Drops an error that has been dealt with; says whether there was one.
inline bool failed(Status status) {
  if (status == nullptr) return false;
  release_status(status);
  return true;
}

}  // namespace ort

// Hands an error to the caller.
#define OPSTUDIO_ORT_TRY(expression)                            \
  do {                                                          \
    if (ort::Status status_ = (expression)) return status_;     \
  } while (false)
