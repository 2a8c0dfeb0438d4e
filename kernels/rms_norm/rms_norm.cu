// rms_norm on a CUDA device: one block of threads for each row, whose sums are joined in shared memory. The gradient of
// the weights has one thread for each column, which goes down the rows in their order: no two threads add to one place.
// As on the host, every sum is a double.
#include <cuda_runtime.h>

#include <cmath>

#include <opstudio/kernel.h>

namespace {

constexpr int kThreads = 256;
constexpr int64_t kMostBlocks = 65536;
constexpr int kMostOperands = 3;
constexpr double kSmallest = 1e-280;  // below, squares may have been lost
constexpr double kLargest = 1.79769313486231570815e308;

// The rows of up to three tensors as a kernel parameter: the host's arrays cannot be read on the device.
struct Geometry {
  int rank = 0;
  int64_t rows = 1;
  int64_t length;
  int64_t weight_step;
  int64_t step[kMostOperands] = {};
  int64_t sizes[opstudio::kMaximumRank] = {};
  int64_t strides[opstudio::kMaximumRank][kMostOperands] = {};

  Geometry(const opstudio::View* const* views, int operands, const opstudio::View& weight)
      : length(views[0]->size(-1)), weight_step(weight.stride(-1)) {
    const opstudio::View& first = *views[0];
    OPSTUDIO_CHECK(first.rank() <= opstudio::kMaximumRank, "rank ", first.rank(), " is above ", opstudio::kMaximumRank);
    OPSTUDIO_CHECK(weight.rank() == 1 && weight.size(0) == length, "weight has ", weight.count(),
                   " elements, but the last axis of x has ", length);
    for (int i = 0; i < operands; ++i) step[i] = views[i]->stride(-1);
    for (; rank + 1 < first.rank(); ++rank) {
      sizes[rank] = first.size(rank);
      rows *= sizes[rank];
      for (int i = 0; i < operands; ++i) strides[rank][i] = views[i]->stride(rank);
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

// What a row is multiplied with: its elements by a power of two, nearly always 1, which keeps their squares in range;
// what comes of it by the inverse of the root.
struct Scale {
  double inverse_unit;
  double inverse_root;
};

struct Sum {
  static __device__ double join(double first, double second) { return first + second; }
};

struct Largest {
  static __device__ double join(double first, double second) { return second > first ? second : first; }
};

// Joins value(i) for all elements of a row; every thread gets the result.
template <class Join, class F>
__device__ double reduce(int64_t length, const F& value) {
  __shared__ double shared[kThreads];
  double mine = 0;
  for (int64_t i = threadIdx.x; i < length; i += kThreads) mine = Join::join(mine, value(i));
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] = Join::join(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();  // before the next reduction writes there
  return result;
}

template <class T, class C>
__device__ Scale scale_of(const T* x, int64_t step, int64_t length, double epsilon) {
  const auto mean_of_squares = [=](double inverse_unit) {
    return reduce<Sum>(length, [=](int64_t i) {
      const double scaled = double(C(x[i * step])) * inverse_unit;
      return scaled * scaled;
    }) / double(length);
  };
  const double mean = mean_of_squares(1) + epsilon;
  if (mean <= kLargest && mean >= kSmallest) return {1, 1 / sqrt(mean)};
  const double largest = fmax(sqrt(epsilon), reduce<Largest>(length, [=](int64_t i) {
                                return fabs(double(C(x[i * step])));
                              }));
  // A row of zeros, and one that holds infinity or NaN, end as the formula says.
  if (!(largest > 0 && largest <= kLargest)) return {1, 1 / sqrt(mean)};
  int exponent;
  frexp(largest, &exponent);
  const double inverse_unit = ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
  const double root = sqrt(epsilon) * inverse_unit;
  return {inverse_unit, 1 / sqrt(mean_of_squares(inverse_unit) + root * root)};
}

template <class T, class C>
__global__ void normalize_rows(Geometry geometry, double epsilon, const T* x, const T* weight, T* y) {
  const int64_t length = geometry.length, x_step = geometry.step[0], y_step = geometry.step[1];
  for (int64_t row = blockIdx.x; row < geometry.rows; row += gridDim.x) {
    const T* const from = x + geometry.offset(row, 0);
    T* const to = y + geometry.offset(row, 1);
    const Scale scale = scale_of<T, C>(from, x_step, length, epsilon);
    for (int64_t i = threadIdx.x; i < length; i += kThreads) {
      const double normal = double(C(from[i * x_step])) * scale.inverse_unit * scale.inverse_root;
      to[i * y_step] = T(C(normal * double(C(weight[i * geometry.weight_step]))));
    }
  }
}

template <class T, class C>
__global__ void differentiate_rows(Geometry geometry, double epsilon, const T* x, const T* weight, const T* grad_y,
                                   T* grad_x, Scale* scales) {
  const int64_t length = geometry.length, result_step = geometry.step[2];
  for (int64_t row = blockIdx.x; row < geometry.rows; row += gridDim.x) {
    const T* const values = x + geometry.offset(row, 0);
    const T* const gradients = grad_y + geometry.offset(row, 1);
    T* const to = grad_x + geometry.offset(row, 2);
    const Scale scale = scale_of<T, C>(values, geometry.step[0], length, epsilon);
    if (threadIdx.x == 0) scales[row] = scale;
    const auto normal = [=](int64_t i) {
      return double(C(values[i * geometry.step[0]])) * scale.inverse_unit * scale.inverse_root;
    };
    const auto weighted = [=](int64_t i) {
      return double(C(gradients[i * geometry.step[1]])) * double(C(weight[i * geometry.weight_step]));
    };
    const double mean = reduce<Sum>(length, [=](int64_t i) { return normal(i) * weighted(i); }) / double(length);
    for (int64_t i = threadIdx.x; i < length; i += kThreads) {
      const double gradient = (weighted(i) - normal(i) * mean) * scale.inverse_root * scale.inverse_unit;
      to[i * result_step] = T(C(gradient));
    }
  }
}

template <class T, class C>
__global__ void differentiate_weights(Geometry geometry, const T* x, const T* grad_y, const Scale* scales,
                                      T* grad_weight, int64_t grad_weight_step) {
  const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < geometry.length; i += threads) {
    double sum = 0;
    for (int64_t row = 0; row < geometry.rows; ++row) {
      const double value = double(C(x[geometry.offset(row, 0) + i * geometry.step[0]]));
      const double gradient = double(C(grad_y[geometry.offset(row, 1) + i * geometry.step[1]]));
      sum += value * scales[row].inverse_unit * scales[row].inverse_root * gradient;
    }
    grad_weight[i * grad_weight_step] = T(C(sum));
  }
}

unsigned blocks_for(int64_t count) { return static_cast<unsigned>(count < kMostBlocks ? count : kMostBlocks); }

void check_launch() {
  const cudaError_t status = cudaGetLastError();
  OPSTUDIO_CHECK(status == cudaSuccess, "the launch failed: ", cudaGetErrorString(status));
}

double epsilon_of(const opstudio::Call& call) {
  const double epsilon = call.number("epsilon");
  OPSTUDIO_CHECK(epsilon >= 0, "epsilon is ", epsilon, ", but a mean of squares has no root below zero");
  return epsilon;
}

void forward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), weight = call.input("weight"), y = call.output("y");
  const opstudio::View* const views[] = {&x, &y};
  const Geometry geometry(views, 2, weight);
  const double epsilon = epsilon_of(call);
  if (geometry.is_empty()) return;  // a grid has at least one block
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    normalize_rows<T, C><<<blocks_for(geometry.rows), kThreads, 0, call.stream<cudaStream_t>()>>>(
        geometry, epsilon, x.data<T>(), weight.data<T>(), y.data<T>());
    check_launch();
  });
}

void backward(const opstudio::Call& call) {
  const opstudio::View x = call.input("x"), weight = call.input("weight"), grad_y = call.input("grad_y");
  const opstudio::View grad_x = call.output("grad_x"), grad_weight = call.output("grad_weight");
  const opstudio::View* const views[] = {&x, &grad_y, &grad_x};
  const Geometry geometry(views, 3, weight);
  const double epsilon = epsilon_of(call);
  if (geometry.length == 0) return;
  Scale* const scales = call.scratch<Scale>(geometry.rows);  // lies where the tensors lie
  const cudaStream_t stream = call.stream<cudaStream_t>();
  opstudio::dispatch<opstudio::FloatingTypes>(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = opstudio::compute_t<T>;
    if (geometry.rows > 0) {
      differentiate_rows<T, C><<<blocks_for(geometry.rows), kThreads, 0, stream>>>(
          geometry, epsilon, x.data<T>(), weight.data<T>(), grad_y.data<T>(), grad_x.data<T>(), scales);
      check_launch();
    }
    const unsigned blocks = blocks_for((geometry.length + kThreads - 1) / kThreads);
    differentiate_weights<T, C><<<blocks, kThreads, 0, stream>>>(
        geometry, x.data<T>(), grad_y.data<T>(), scales, grad_weight.data<T>(), grad_weight.stride(-1));
    check_launch();
  });
}

}  // namespace

OPSTUDIO_KERNEL(forward, backward)
