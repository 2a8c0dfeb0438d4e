// row_softmax on a CUDA device: one block of threads for each row, which it reads three times (twice from the cache).
// The threads of a block stand side by side along the row; what they found is joined in shared memory.
#include <cuda_runtime.h>

#include <cmath>

#include <opstudio/kernel.h>

namespace {

constexpr int kThreads = 256;
constexpr int64_t kMostBlocks = 65536;
constexpr int kMostOperands = 3;

// The rows of up to three tensors as a kernel parameter: the host's arrays cannot be read on the device.
struct Geometry {
  int rank = 0;
  int64_t rows = 1;
  int64_t length = 1;
  int64_t step[kMostOperands] = {};
  int64_t sizes[opstudio::kMaximumRank] = {};
  int64_t strides[opstudio::kMaximumRank][kMostOperands] = {};

  Geometry(const opstudio::View* const* views, int operands, int64_t axis) {
    const opstudio::View& first = *views[0];
    OPSTUDIO_CHECK(first.rank() <= opstudio::kMaximumRank, "rank ", first.rank(), " is above ", opstudio::kMaximumRank);
    if (first.rank() == 0 && (axis == 0 || axis == -1)) return;  // a row of one element
    const int along = first.resolve_axis(axis);
    length = first.size(along);
    for (int i = 0; i < operands; ++i) step[i] = views[i]->stride(along);
    for (int other = 0; other < first.rank(); ++other) {
      if (other == along) continue;
      sizes[rank] = first.size(other);
      rows *= sizes[rank];
      for (int i = 0; i < operands; ++i) strides[rank][i] = views[i]->stride(other);
      ++rank;
    }
  }

  bool is_empty() const { return rows == 0 || length == 0; }

  __device__ int64_t offset(int64_t row, int operand) const {
    int64_t offset = 0;
    for (int axis = rank - 1; axis >= 0; --axis) {
      offset += row % sizes[axis] * strides[axis][operand];
      row /= sizes[axis];
    }
    return offset;
  }
};

template <class C>
struct Largest {
  static __device__ C neutral() { return -C(INFINITY); }
  static __device__ C join(C first, C second) { return first > second ? first : second; }
};

template <class C>
struct Sum {
  static __device__ C neutral() { return 0; }
  static __device__ C join(C first, C second) { return first + second; }
};

// Joins value(i) for all elements of a row; every thread gets the result.
template <class Join, class C, class F>
__device__ C reduce(int64_t length, const F& value) {
  __shared__ C shared[kThreads];
  C mine = Join::neutral();
  for (int64_t i = threadIdx.x; i < length; i += kThreads) mine = Join::join(mine, value(i));
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = Join::join(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const C result = shared[0];
  __syncthreads();  // before the next reduction writes there
  return result;
}

__device__ float exponential(float x) { return expf(x); }
__device__ double exponential(double x) { return exp(x); }

template <class T, class C>
__global__ void softmax_rows(Geometry geometry, const T* x, T* y) {
  const int64_t length = geometry.length, x_step = geometry.step[0], y_step = geometry.step[1];
  for (int64_t row = blockIdx.x; row < geometry.rows; row += gridDim.x) {
    const T* const from = x + geometry.offset(row, 0);
    T* const to = y + geometry.offset(row, 1);
    const C highest = reduce<Largest<C>, C>(length, [=](int64_t i) { return C(from[i * x_step]); });
    const auto exponential_of = [=](int64_t i) { return exponential(C(from[i * x_step]) - highest); };
    const C factor = 1 / reduce<Sum<C>, C>(length, exponential_of);
    for (int64_t i = threadIdx.x; i < length; i += kThreads) to[i * y_step] = T(exponential_of(i) * factor);
  }
}

template <class T, class C>
__global__ void softmax_gradients(Geometry geometry, const T* y, const T* grad_y, T* grad_x) {
  const int64_t length = geometry.length;
  const int64_t y_step = geometry.step[0], gradient_step = geometry.step[1], result_step = geometry.step[2];
  for (int64_t row = blockIdx.x; row < geometry.rows; row += gridDim.x) {
    const T* const results = y + geometry.offset(row, 0);
    const T* const gradients = grad_y + geometry.offset(row, 1);
    T* const to = grad_x + geometry.offset(row, 2);
    const C sum = reduce<Sum<C>, C>(
        length, [=](int64_t i) { return C(results[i * y_step]) * C(gradients[i * gradient_step]); });
    for (int64_t i = threadIdx.x; i < length; i += kThreads) {
      to[i * result_step] = T(C(results[i * y_step]) * (C(gradients[i * gradient_step]) - sum));
    }
  }
}

unsigned blocks_for(int64_t rows) { return static_cast<unsigned>(rows < kMostBlocks ? rows : kMostBlocks); }

void check_launch() {
  const cudaError_t status = cudaGetLastError();
  OPSTUDIO_CHECK(status == cudaSuccess, "the launch failed: ", cudaGetErrorString(status));
}

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), y = call.output("y");
  const opstudio::View* const views[] = {&x, &y};
  const Geometry geometry(views, 2, call.integer("axis"));
  if (geometry.is_empty()) return;  // a grid has at least one block
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    softmax_rows<T, C><<<blocks_for(geometry.rows), kThreads, 0, call.stream<cudaStream_t>()>>>(
        geometry, x.data<T>(), y.data<T>());
    check_launch();
  });
}

void backward(const opstudio::Call& call) {
  const opstudio::View grad_y = call.input("grad_y"), y = call.input("y"), grad_x = call.output("grad_x");
  const opstudio::View* const views[] = {&y, &grad_y, &grad_x};
  const Geometry geometry(views, 3, call.integer("axis"));
  if (geometry.is_empty()) return;
  opstudio::dispatch<opstudio::FloatingTypes>(y.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    softmax_gradients<T, C><<<blocks_for(geometry.rows), kThreads, 0, call.stream<cudaStream_t>()>>>(
        geometry, y.data<T>(), grad_y.data<T>(), grad_x.data<T>());
    check_launch();
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
