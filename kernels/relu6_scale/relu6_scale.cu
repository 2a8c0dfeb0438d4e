// relu6_scale on a CUDA device. One thread handles one element, and the grid strides over larger tensors. Contiguous ones
// are read by plain index; for others each thread finds its element from the shape and the strides.
#include <cuda_runtime.h>

#include <opstudio/kernel.h>

namespace {

constexpr int kThreads = 256;
constexpr int64_t kMostBlocks = 65536;
constexpr int kMostOperands = 3;

// Shape and strides as a kernel parameter: the host's arrays cannot be read on the device.
struct Geometry {
  int rank;
  bool contiguous;
  int64_t count;
  int64_t sizes[opstudio::kMaximumRank];
  int64_t strides[opstudio::kMaximumRank][kMostOperands];

  Geometry(const opstudio::View* const* views, int operands)
      : rank(views[0]->rank()), contiguous(true), count(views[0]->count()) {
    OPSTUDIO_CHECK(rank <= opstudio::kMaximumRank, "rank ", rank, " is above ", opstudio::kMaximumRank);
    for (int i = 0; i < operands; ++i) contiguous = contiguous && views[i]->is_contiguous();
    for (int axis = 0; axis < rank; ++axis) {
      sizes[axis] = views[0]->size(axis);
      for (int i = 0; i < operands; ++i) strides[axis][i] = views[i]->stride(axis);
    }
  }

  __device__ int64_t offset(int64_t index, int operand) const {
    if (contiguous) return index;
    int64_t offset = 0;
    for (int axis = rank - 1; axis >= 0; --axis) {
      offset += index % sizes[axis] * strides[axis][operand];
      index /= sizes[axis];
    }
    return offset;
  }
};

// Calls body(index) for every element that this thread handles.
template <class F>
__device__ void for_each_element(int64_t count, const F& body) {
  const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t index = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; index < count; index += threads) {
    body(index);
  }
}

template <class T, class C>
__global__ void clamp_elements(Geometry geometry, const T* x, T* y, C factor, C highest) {
  for_each_element(geometry.count, [&](int64_t index) {
    const C scaled = C(x[geometry.offset(index, 0)]) * factor;
    // Comparisons that are false for NaN let it through, as torch.clamp does.
    const C raised = scaled < 0 ? C(0) : scaled;
    y[geometry.offset(index, 1)] = T(raised > highest ? highest : raised);
  });
}

template <class T, class C>
__global__ void clamp_gradients(Geometry geometry, const T* grad_y, const T* x, T* grad_x, C factor, C highest) {
  for_each_element(geometry.count, [&](int64_t index) {
    const C scaled = C(x[geometry.offset(index, 1)]) * factor;
    const C gradient = C(grad_y[geometry.offset(index, 0)]);
    grad_x[geometry.offset(index, 2)] = T(scaled > 0 && scaled < highest ? gradient * factor : C(0));
  });
}

unsigned blocks_for(int64_t count) {
  const int64_t blocks = (count + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks);
}

void check_launch() {
  const cudaError_t status = cudaGetLastError();
  OPSTUDIO_CHECK(status == cudaSuccess, "the launch failed: ", cudaGetErrorString(status));
}

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const opstudio::View* const views[] = {&x, &y};
  const Geometry geometry(views, 2);
  if (geometry.count == 0) return;  // a grid has at least one block
  const double scale = call.number("scale"), max_val = call.number("max_val");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    clamp_elements<<<blocks_for(geometry.count), kThreads, 0, call.stream<cudaStream_t>()>>>(
        geometry, x.data<T>(), y.data<T>(), C(scale), C(max_val));
    check_launch();
  });
}

void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const opstudio::View* const views[] = {&grad_y, &x, &grad_x};
  const Geometry geometry(views, 3);
  if (geometry.count == 0) return;
  const double scale = call.number("scale"), max_val = call.number("max_val");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    clamp_gradients<<<blocks_for(geometry.count), kThreads, 0, call.stream<cudaStream_t>()>>>(
        geometry, grad_y.data<T>(), x.data<T>(), grad_x.data<T>(), C(scale), C(max_val));
    check_launch();
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
