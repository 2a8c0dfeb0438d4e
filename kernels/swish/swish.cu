// swish on a CUDA device. One thread handles one element, and the grid strides over larger tensors. Contiguous ones
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

__device__ float exponential(float x) { return expf(x); }
__device__ double exponential(double x) { return exp(x); }

// Beyond these limits exp(-|z|) is below every number; at half of them it is still a normal one.
template <class C>
struct Limits;
template <>
struct Limits<float> {
  static constexpr float kLowest = -174.0f;
};
template <>
struct Limits<double> {
  static constexpr double kLowest = -1416.0;
};

// beta * x, and 0 for beta = 0 even where x is infinite.
template <class C>
__device__ C scaled(C x, C beta) {
  return beta == 0 ? C(0) : beta * x;
}

// Infinities become large numbers; NaN stays NaN.
template <class C>
__device__ C bounded(C z) {
  const C raised = z < Limits<C>::kLowest ? Limits<C>::kLowest : z;
  return raised > -Limits<C>::kLowest ? -Limits<C>::kLowest : raised;
}

// The square root of exp(-|z|): multiplied with it twice, a number is rounded like one of its own size.
template <class C>
__device__ C half_exponential(C z) {
  return exponential((z > 0 ? -z : z) / 2);
}

template <class T, class C>
__global__ void swish_elements(Geometry geometry, const T* x, T* y, C beta) {
  for_each_element(geometry.count, [&](int64_t index) {
    const C value = C(x[geometry.offset(index, 0)]);
    const C z = scaled(value, beta), half = half_exponential(bounded(z));
    const C result = (z < 0 ? value * half * half : value) / (1 + half * half);
    y[geometry.offset(index, 1)] = T(z < Limits<C>::kLowest ? C(0) : result);
  });
}

// dy/dx = s + z s (1 - s) with s = sigmoid(z).
template <class T, class C>
__global__ void swish_gradients(Geometry geometry, const T* grad_y, const T* x, T* grad_x, C beta) {
  for_each_element(geometry.count, [&](int64_t index) {
    const C z = bounded(scaled(C(x[geometry.offset(index, 1)]), beta));
    const C half = half_exponential(z), e = half * half, sum = 1 + e;
    const C slope = (z < 0 ? (sum + z) * half * half : sum + z * e) / (sum * sum);
    grad_x[geometry.offset(index, 2)] = T(C(grad_y[geometry.offset(index, 0)]) * slope);
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
  const double beta = call.number("beta");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    swish_elements<<<blocks_for(geometry.count), kThreads, 0, call.stream<cudaStream_t>()>>>(
        geometry, x.data<T>(), y.data<T>(), C(beta));
    check_launch();
  });
}

void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), x = call.input("x"), grad_x = call.output("grad_x");
  const opstudio::View* const views[] = {&grad_y, &x, &grad_x};
  const Geometry geometry(views, 3);
  if (geometry.count == 0) return;
  const double beta = call.number("beta");
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    swish_gradients<<<blocks_for(geometry.count), kThreads, 0, call.stream<cudaStream_t>()>>>(
        geometry, grad_y.data<T>(), x.data<T>(), grad_x.data<T>(), C(beta));
    check_launch();
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
