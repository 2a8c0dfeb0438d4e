/* The C interface between a kernel and whatever calls it: a PyTorch host, an ONNX Runtime host, a test.
 *
 * Plain C, so that a kernel built by one compiler serves a host built by another. Structures only grow at their
 * end; `size` says how much of one the caller knows. People who write kernels include opstudio/kernel.h instead.
 */
#ifndef OPSTUDIO_ABI_H
#define OPSTUDIO_ABI_H

#include <stddef.h>
#include <stdint.h>

#define OPSTUDIO_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* Element types, numbered as in ONNX. */
enum {
  OPSTUDIO_FLOAT32 = 1,
  OPSTUDIO_UINT8 = 2,
  OPSTUDIO_INT8 = 3,
  OPSTUDIO_INT16 = 5,
  OPSTUDIO_INT32 = 6,
  OPSTUDIO_INT64 = 7,
  OPSTUDIO_BOOL = 9,
  OPSTUDIO_FLOAT16 = 10,
  OPSTUDIO_FLOAT64 = 11,
  OPSTUDIO_BFLOAT16 = 16
};

/* Attribute kinds. Bool values are stored as integers. */
enum {
  OPSTUDIO_ATTRIBUTE_INT = 0,
  OPSTUDIO_ATTRIBUTE_FLOAT = 1,
  OPSTUDIO_ATTRIBUTE_BOOL = 2,
  OPSTUDIO_ATTRIBUTE_STRING = 3,
  OPSTUDIO_ATTRIBUTE_INTS = 4,
  OPSTUDIO_ATTRIBUTE_FLOATS = 5
};

/* A tensor that somebody else owns. Strides count elements. */
typedef struct opstudio_view {
  void* data;
  const int64_t* shape;
  const int64_t* strides;
  int32_t rank;
  int32_t type;
} opstudio_view;

/* A tensor argument by name: one view, none for an absent optional input, any number for a variadic one. */
typedef struct opstudio_argument {
  const char* name;
  const opstudio_view* views;
  int64_t count;
} opstudio_argument;

/* An attribute value by name; `count` values in the array that belongs to its kind. */
typedef struct opstudio_attribute {
  const char* name;
  int32_t kind;
  int64_t count;
  const int64_t* integers;
  const double* numbers;
  const char* text;
} opstudio_attribute;

typedef void (*opstudio_range)(void* argument, int64_t begin, int64_t end);

/* What a host offers during one call. */
typedef struct opstudio_host {
  uint32_t abi_version;
  uint32_t size;
  void* context;
  /* Runs `run` over [0, count) in pieces of about `grain`, on the host's own threads; returns when all are done. */
  void (*parallel_for)(void* context, int64_t count, int64_t grain, opstudio_range run, void* argument);
  /* Returns scratch memory aligned to 64 bytes that lives until the call ends, or NULL. */
  void* (*allocate)(void* context, size_t bytes);
  /* Takes the reason why the kernel is about to return an error. */
  void (*fail)(void* context, const char* message);
  /* The device stream to launch on (a cudaStream_t); NULL on the host. */
  void* stream;
} opstudio_host;

/* One call of a kernel. A backward kernel finds the gradient of output y as input "grad_y"
 * and writes the gradient of input x to output "grad_x". */
typedef struct opstudio_call {
  uint32_t size;
  const opstudio_host* host;
  const opstudio_argument* inputs;
  int64_t input_count;
  const opstudio_argument* outputs;
  int64_t output_count;
  const opstudio_attribute* attributes;
  int64_t attribute_count;
} opstudio_call;

/* Returns 0, or another value after `fail` was told why. */
typedef int32_t (*opstudio_function)(const opstudio_call* call);

/* What a kernel library exports. `backward` is NULL where there is no gradient. */
typedef struct opstudio_kernel {
  uint32_t abi_version;
  uint32_t size;
  opstudio_function forward;
  opstudio_function backward;
} opstudio_kernel;

/* The exported function's type; its name is opstudio_kernel_entry. */
typedef const opstudio_kernel* (*opstudio_kernel_entry_function)(void);

#ifdef __cplusplus
}
#endif

#endif
